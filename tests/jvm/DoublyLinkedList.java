/* Node.insertBefore and DoublyLinkedList.pop/add/remove: ISSRE'10
 * paper (JAUT), Fig. 5. Source not printed. RECONSTRUCTED with public fields, as the paper says. */
class DNode {
    public DNode prev, next;
    public int val;

    public boolean insertBefore(DNode n) {
        if (n == null || n == this)
            return false;
        n.next = this;
        n.prev = this.prev;
        if (this.prev != null)
            this.prev.next = n;
        this.prev = n;
        return true;
    }
}

class DoublyLinkedList {
    public DNode head, tail;

    public DNode pop() {
        DNode n = head;
        if (n != null)
            remove(n);
        return n;
    }

    /* sorted insertion */
    public void add(DNode n) {
        DNode cur = head;
        while (cur != null && cur.val < n.val)
            cur = cur.next;
        if (cur != null) {
            cur.insertBefore(n);
            if (cur == head)
                head = n;
        } else {
            n.prev = tail;
            n.next = null;
            if (tail != null)
                tail.next = n;
            else
                head = n;
            tail = n;
        }
    }

    public void remove(DNode n) {
        if (n.prev != null)
            n.prev.next = n.next;
        else
            head = n.next;
        if (n.next != null)
            n.next.prev = n.prev;
        else
            tail = n.prev;
        n.prev = null;
        n.next = null;
    }
}
