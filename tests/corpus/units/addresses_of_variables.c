/* Pointers compared with the addresses of variables, one after the other. */
struct device {
    int speed;
};
struct device disk, tape, network;

int kind(struct device *device) {
    if (device == &disk)
        return 1;
    if (device == &tape)
        return 2;
    if (device == &network)
        return 3;
    return 0;
}

int is_fast_storage(const struct device *device) {
    if (device == &disk || device == &tape)
        return device->speed > 3;
    return 0;
}
