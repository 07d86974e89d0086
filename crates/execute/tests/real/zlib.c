// Compresses and decompresses with zlib. Memory is zeroed: deflate reads entries of a table that it never wrote, and
// does not use them.
#include "data.h"
#include "zlib.h"

static voidpf zeroed(voidpf context, uInt count, uInt size) { return calloc(count, size); }
static void release(voidpf context, voidpf object) { free(object); }

int main(void) {
    make();
    for (int level = 1; level <= 9; level += 4) {
        z_stream stream = {.zalloc = zeroed, .zfree = release};
        uLongf back = sizeof unpacked;
        deflateInit(&stream, level);
        stream.next_in = source;
        stream.avail_in = sizeof source;
        stream.next_out = packed;
        stream.avail_out = sizeof packed;
        int result = deflate(&stream, Z_FINISH);
        printf("%d %lu %u\n", result, stream.total_out, hash(packed, stream.total_out));
        result = uncompress(unpacked, &back, packed, stream.total_out);
        printf("%d %lu %d\n", result, back, memcmp(source, unpacked, sizeof source));
        deflateEnd(&stream);
    }
    printf("%lx %lx\n", crc32(0, source, sizeof source), adler32(1, source, sizeof source));
    return 0;
}
