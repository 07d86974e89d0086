/* Protocol decoders: a frame with a checksum fed byte by byte, varints, type-length-value. */
#include <stddef.h>
#include <stdint.h>
enum { WAIT, LEN, DATA, CRC_LO, CRC_HI };
typedef struct {
    uint8_t state, len, pos;
    uint16_t crc;
    uint8_t data[8];
    unsigned errors;
    void (*on_frame)(const uint8_t *, uint8_t);
} decoder;
static uint16_t crc16(uint16_t crc, uint8_t b) {
    crc ^= b;
    for (int i = 0; i < 8; i++)
        crc = crc & 1 ? (uint16_t)(crc >> 1 ^ 0xA001) : (uint16_t)(crc >> 1);
    return crc;
}
void decoder_feed(decoder *d, uint8_t b) {
    switch (d->state) {
    case WAIT:
        if (b == 0x7E) {
            d->state = LEN;
            d->crc = 0xFFFF;
        }
        break;
    case LEN:
        if (b == 0 || b > sizeof d->data) {
            d->errors++;
            d->state = WAIT;
            break;
        }
        d->len = b;
        d->pos = 0;
        d->crc = crc16(d->crc, b);
        d->state = DATA;
        break;
    case DATA:
        d->data[d->pos++] = b;
        d->crc = crc16(d->crc, b);
        if (d->pos == d->len)
            d->state = CRC_LO;
        break;
    case CRC_LO:
        if (b != (d->crc & 0xff)) {
            d->errors++;
            d->state = WAIT;
        } else
            d->state = CRC_HI;
        break;
    case CRC_HI:
        if (b == d->crc >> 8 && d->on_frame)
            d->on_frame(d->data, d->len);
        else
            d->errors++;
        d->state = WAIT;
        break;
    default:
        d->state = WAIT;
    }
}
int varint(const uint8_t *p, const uint8_t *end, uint32_t *out) {
    uint32_t v = 0;
    int shift = 0;
    while (p < end) {
        uint8_t b = *p++;
        if (shift == 28 && b > 15)
            return -2;
        v |= (uint32_t)(b & 0x7f) << shift;
        if (!(b & 0x80)) {
            *out = v;
            return 0;
        }
        shift += 7;
        if (shift > 28) //~? unknown
            return -1;
    }
    return -3;
}
struct tlv {
    uint8_t type;
    uint16_t length;
    const uint8_t *value;
};
int tlv_next(const uint8_t **at, size_t *left, struct tlv *out) {
    if (*left < 3)
        return *left == 0 ? 0 : -1;
    out->type = (*at)[0];
    out->length = (uint16_t)((*at)[1] << 8 | (*at)[2]);
    if (out->length > *left - 3)
        return -2;
    out->value = *at + 3;
    *at += 3 + out->length;
    *left -= 3u + out->length;
    return 1;
}
