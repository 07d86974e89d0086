// Compresses and decompresses with LZ4, fast and thorough.
#include "data.h"
#include "lz4.h"
#include "lz4hc.h"

static void unpack(int size) {
    int back = LZ4_decompress_safe((char *)packed, (char *)unpacked, size, sizeof unpacked);
    printf("%d %u %d %d\n", size, hash(packed, size), back, memcmp(source, unpacked, sizeof source));
}

int main(void) {
    make();
    unpack(LZ4_compress_default((char *)source, (char *)packed, sizeof source, sizeof packed));
    unpack(LZ4_compress_HC((char *)source, (char *)packed, sizeof source, sizeof packed, 9));
    return 0;
}
