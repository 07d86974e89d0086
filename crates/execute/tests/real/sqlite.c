// Runs statements in SQLite on a database in memory, with a file system that has no files.
#include <stdio.h>
#include <string.h>
#include "sqlite3.h"

static int show(void *context, int count, char **values, char **names) {
    for (int i = 0; i < count; i++)
        printf("%s%s=%s", i ? ", " : "", names[i], values[i] ? values[i] : "NULL");
    puts("");
    return 0;
}

static int no_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    return SQLITE_CANTOPEN;
}
static int no_delete(sqlite3_vfs *vfs, const char *name, int sync) { return SQLITE_OK; }
static int no_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) { return *result = 0; }
static int same_path(sqlite3_vfs *vfs, const char *name, int size, char *out) {
    strncpy(out, name, size);
    return SQLITE_OK;
}
static int no_chance(sqlite3_vfs *vfs, int count, char *out) {
    memset(out, 7, count);
    return count;
}
static int no_sleep(sqlite3_vfs *vfs, int time) { return time; }
static int one_time(sqlite3_vfs *vfs, double *now) {
    *now = 2451545.0;
    return SQLITE_OK;
}

static sqlite3_vfs none = {.iVersion = 1, .szOsFile = sizeof(sqlite3_file), .mxPathname = 256, .zName = "none",
                           .xOpen = no_open, .xDelete = no_delete, .xAccess = no_access,
                           .xFullPathname = same_path, .xRandomness = no_chance, .xSleep = no_sleep,
                           .xCurrentTime = one_time};

int sqlite3_os_init(void) { return sqlite3_vfs_register(&none, 1); }
int sqlite3_os_end(void) { return SQLITE_OK; }

static const char *const statements[] = {
    "create table t(a integer primary key, b text, c real)",
    "insert into t values(1, 'one', 1.5), (2, 'two', 2.25), (3, 'three', -3)",
    "with recursive n(x) as (select 1 union all select x + 1 from n where x < 200)"
    " insert into t select x + 10, 'n' || x, x * 0.5 from n",
    "select count(*), sum(a), avg(c), group_concat(substr(b, 1, 2), '') from t where a % 7 = 0",
    "select b, upper(b), length(b) from t order by c desc limit 3",
    "create index i on t(b)",
    "select a from t where b = 'n50'",
    "update t set c = c + 1 where a < 3; select a, c from t where a < 4",
    "select printf('%08.3f|%x', 3.14159, 255), hex('abc'), abs(-5), round(2.567, 2)",
    "delete from t where a > 20; select count(*) from t",
    "select 1 / 0, 'x' || null, cast('12abc' as int), typeof(1.0)",
    "selec bad",
};

int main(void) {
    sqlite3 *database;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK)
        return 1;
    for (unsigned i = 0; i < sizeof statements / sizeof *statements; i++) {
        char *message = 0;
        int result = sqlite3_exec(database, statements[i], show, 0, &message);
        if (result != SQLITE_OK)
            printf("error %d: %s\n", result, message);
        sqlite3_free(message);
    }
    return sqlite3_close(database);
}
