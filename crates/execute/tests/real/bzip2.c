// Compresses and decompresses with bzip2.
#include "data.h"
#include "bzlib.h"

void bz_internal_error(int code) {
    printf("internal error %d\n", code);
    exit(3);
}

int main(void) {
    unsigned size = sizeof packed, back = sizeof unpacked;
    make();
    int result = BZ2_bzBuffToBuffCompress((char *)packed, &size, (char *)source, sizeof source, 9, 0, 30);
    printf("%d %u %u\n", result, size, hash(packed, size));
    result = BZ2_bzBuffToBuffDecompress((char *)unpacked, &back, (char *)packed, size, 0, 0);
    printf("%d %u %d\n", result, back, memcmp(source, unpacked, sizeof source));
    return 0;
}
