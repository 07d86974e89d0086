// Temporary files, files that cannot be opened, time and locale.
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void) {
    char line[32], text[64];
    FILE *file = tmpfile();
    fprintf(file, "line1\nline2 %d\n", 5);
    rewind(file);
    while (fgets(line, sizeof line, file))
        printf("got %s", line);
    printf("%d\n", feof(file) != 0);
    fseek(file, 2, SEEK_SET);
    printf("%c", fgetc(file));
    printf("%ld\n", ftell(file));
    ungetc('!', file);
    printf("%c\n", getc(file));
    printf("%zu\n", fread(line, 2, 3, file));
    fclose(file);
    printf("%d\n", fopen("/nonexistent/file", "r") == NULL);
    printf("%s %s\n", setlocale(LC_ALL, "C"), localeconv()->decimal_point);
    time_t moment = 1000000000;
    struct tm *parts = gmtime(&moment);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j %y %p %I", parts);
    puts(text);
    return 0;
}
