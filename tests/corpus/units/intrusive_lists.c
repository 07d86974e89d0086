/* Lists whose heads are members of other structures, and whose links are the first members of what is in them; the next
   one is read before the end is noticed. */
#include <stddef.h>

struct link {
    struct link *next, *previous;
};

#define ENTRY(link, type, member) ((type *)((char *)(link) - offsetof(type, member)))
#define FOR_EACH_SAFE(item, next_one, head, type, member)                                                                  \
    for (item = ENTRY((head)->next, type, member), next_one = ENTRY(item->member.next, type, member);                  \
         &item->member != (head); item = next_one, next_one = ENTRY(next_one->member.next, type, member))

struct station {
    struct link link;
    int id;
};

struct access_point {
    int channel;
    struct link others, stations;
    int is_on;
};

void gone(int id);

static void take_out(struct link *link)
{
    link->next->previous = link->previous;
    link->previous->next = link->next;
}

int count(struct access_point *point)
{
    struct station *station, *next;
    int found = 0;
    FOR_EACH_SAFE(station, next, &point->stations, struct station, link)
        found++;
    return found;
}

void clear(struct access_point *point)
{
    struct station *station, *next;
    FOR_EACH_SAFE(station, next, &point->stations, struct station, link) {
        take_out(&station->link);
        if (station->id > 5)
            gone(station->id);
    }
    if (point->is_on)
        gone(0);
}
