//@ options: --effort 0.5
/* An index into a large table, where most of its values lead out of the table later on: values far from each other are
   tried, not one after the other. */

struct heap {
    int at[573];
    int length;
};

void sift(struct heap *heap, int from)
{
    int value = heap->at[from], child = from << 1;
    while (child <= heap->length) {
        if (child < heap->length && heap->at[child + 1] < heap->at[child])
            child++;
        if (value < heap->at[child])
            break;
        heap->at[from] = heap->at[child];
        from = child;
        child <<= 1;
    }
    heap->at[from] = value;
}
