/* A server whose send times are the truth: OpenAI completions as Server-Sent Events, one HTTP chunk a token.
 *
 *     mock ITL_US TTFT_US spread|step TRUTH
 *
 * One thread, epoll, and a heap of what is due. The clock is read right before each send. "spread" gives each stream a
 * phase of its own; "step" sends a chunk of every stream back to back, as one step of an engine does. With an ITL of 0
 * it sends as fast as the sockets take it. The request's "seed" is the number that its chunks are recorded under.
 * The port is a free one, and is printed first. On SIGTERM the records go to TRUTH: uint32 request, uint32 chunk, uint64 ns of CLOCK_MONOTONIC, and nothing else.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MOST_FDS 8192
#define MOST_EVENTS 512
#define MOST_RECORDS 24000000ull
#define DEFAULT_TOKENS 128
#define SECOND 1000000000ull

typedef struct {
    uint32_t request, chunk;
    uint64_t at;
} record;

typedef struct {
    int fd, streaming, heap_at;
    char in[65536];
    int in_length;
    uint32_t request, tokens, next;
    uint64_t due;
    char *pending;
    int pending_length, pending_at;
} connection;

static record *records;
static uint64_t record_count;
static connection *connections[MOST_FDS], *heap[MOST_FDS];
static int heap_length, epoll_fd, in_step;
static uint64_t itl, ttft;
static volatile sig_atomic_t stopped;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

/* ---- the heap: heap[1] is due first ---- */

static void swap(int a, int b) {
    connection *kept = heap[a];
    heap[a] = heap[b];
    heap[b] = kept;
    heap[a]->heap_at = a;
    heap[b]->heap_at = b;
}

static void sift_up(int at) {
    for (; at > 1 && heap[at]->due < heap[at / 2]->due; at /= 2) swap(at, at / 2);
}

static void sift_down(int at) {
    for (;;) {
        int first = at, left = 2 * at, right = 2 * at + 1;
        if (left <= heap_length && heap[left]->due < heap[first]->due) first = left;
        if (right <= heap_length && heap[right]->due < heap[first]->due) first = right;
        if (first == at) return;
        swap(at, first);
        at = first;
    }
}

static void heap_add(connection *c) {
    heap[++heap_length] = c;
    c->heap_at = heap_length;
    sift_up(heap_length);
}

static void heap_remove(connection *c) {
    int at = c->heap_at;
    if (!at) return;
    heap[at] = heap[heap_length];
    heap[at]->heap_at = at;
    heap_length--;
    if (at <= heap_length) {
        sift_up(at);
        sift_down(at);
    }
    c->heap_at = 0;
}

/* ---- sockets ---- */

static void watch(connection *c, int writing) {
    struct epoll_event e = {.events = EPOLLIN | (writing ? EPOLLOUT : 0), .data.fd = c->fd};
    epoll_ctl(epoll_fd, EPOLL_CTL_MOD, c->fd, &e);
}

static void drop(connection *c) {
    heap_remove(c);
    close(c->fd);
    connections[c->fd] = NULL;
    free(c->pending);
    free(c);
}

/* Send all, or keep the rest until the socket takes it; -1 where the other side is gone. */
static int send_all(connection *c, const char *bytes, int length) {
    int sent = send(c->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent == length) return 0;
    if (sent < 0 && errno != EAGAIN) return -1;
    if (sent < 0) sent = 0;
    c->pending = realloc(c->pending, length);
    memcpy(c->pending, bytes + sent, length - sent);
    c->pending_length = length - sent;
    c->pending_at = 0;
    watch(c, 1);
    return 0;
}

static int send_pending(connection *c) {
    int sent = send(c->fd, c->pending + c->pending_at, c->pending_length - c->pending_at, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return errno == EAGAIN ? 0 : -1;
    c->pending_at += sent;
    if (c->pending_at == c->pending_length) {
        c->pending_length = c->pending_at = 0;
        watch(c, 0);
    }
    return 0;
}

/* ---- answers ---- */

static void note(connection *c) {
    if (record_count < MOST_RECORDS) records[record_count++] = (record){c->request, c->next, now()};
}

static int send_token(connection *c) {
    static const char *words[] = {" the", " model", " quick", " of", " and", " token", " a", " stream"};
    char event[1024], chunk[2048];
    int last = c->next + 1 == c->tokens;
    int size = sprintf(event,
        "data: {\"id\":\"cmpl-%08x9f3b4c6d8e0a1b2c3d4e5f60\",\"object\":\"text_completion\",\"created\":1760000000,"
        "\"model\":\"m\",\"choices\":[{\"index\":0,\"text\":\"%s\",\"logprobs\":null,\"finish_reason\":%s,"
        "\"stop_reason\":null,\"token_ids\":null,\"prompt_logprobs\":null,\"prompt_token_ids\":null}],\"usage\":null}\n\n",
        c->request, words[(c->request * 7 + c->next) & 7], last ? "\"length\"" : "null");
    int length = sprintf(chunk, "%x\r\n%s\r\n", size, event);
    note(c);
    c->next++;
    return send_all(c, chunk, length);
}

static int send_end(connection *c) {
    char usage[512], end[1024];
    int size = sprintf(usage,
        "data: {\"id\":\"cmpl-%08x\",\"object\":\"text_completion\",\"created\":1760000000,\"model\":\"m\",\"choices\":[],"
        "\"usage\":{\"prompt_tokens\":64,\"total_tokens\":%u,\"completion_tokens\":%u}}\n\n",
        c->request, 64 + c->tokens, c->tokens);
    int length = sprintf(end, "%x\r\n%s\r\ne\r\ndata: [DONE]\n\n\r\n0\r\n\r\n", size, usage);
    c->streaming = 0;
    heap_remove(c);
    return send_all(c, end, length);
}

static int send_next(connection *c) {
    return c->next < c->tokens ? send_token(c) : send_end(c);
}

/* ---- requests ---- */

static uint32_t number_in(const char *body, const char *key, uint32_t otherwise) {
    const char *found = strstr(body, key);
    found = found ? strchr(found + 1, ':') : NULL;
    return found ? (uint32_t)atol(found + 1) : otherwise;
}

static int begin_stream(connection *c, const char *body) {
    static const char head[] = "HTTP/1.1 200 OK\r\nserver: mock\r\ncontent-type: text/event-stream; charset=utf-8\r\n"
                               "transfer-encoding: chunked\r\n\r\n";
    uint64_t first = now() + ttft;
    c->request = number_in(body, "\"seed\"", 0);
    c->tokens = number_in(body, "\"max_tokens\"", DEFAULT_TOKENS);
    c->next = 0;
    c->streaming = 1;
    if (itl && in_step) first = (first / itl + 1) * itl;
    else if (itl) first = (first / itl + 1) * itl + (uint64_t)(fmod(c->request * 0.6180339887, 1.0) * itl);
    c->due = first;
    heap_add(c);
    return send_all(c, head, sizeof head - 1);
}

static int take_requests(connection *c) {
    while (!c->streaming) {
        c->in[c->in_length] = 0;
        char *head_end = strstr(c->in, "\r\n\r\n"), *named = strcasestr(c->in, "content-length:");
        if (!head_end) return 0;
        int head = head_end - c->in + 4, body = named && named < head_end ? atoi(named + 15) : 0;
        if (c->in_length < head + body) return 0;
        int failed = strncmp(c->in, "POST", 4)
                         ? send_all(c, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", 38)
                         : begin_stream(c, c->in + head);
        memmove(c->in, c->in + head + body, c->in_length - head - body);
        c->in_length -= head + body;
        if (failed) return -1;
    }
    return 0;
}

static int receive(connection *c) {
    int got = recv(c->fd, c->in + c->in_length, sizeof c->in - 1 - c->in_length, 0);
    if (got == 0) return -1;
    if (got < 0) return errno == EAGAIN ? 0 : -1;
    c->in_length += got;
    return take_requests(c);
}

static void accept_all(int listener) {
    int fd, one = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (fd >= MOST_FDS) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        connections[fd] = calloc(1, sizeof(connection));
        connections[fd]->fd = fd;
        struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &e);
    }
}

/* ---- the loop ---- */

static void serve_due(void) {
    uint64_t until = now();
    while (heap_length && heap[1]->due <= until) {
        connection *c = heap[1];
        /* The end follows the last token at once; a full socket is tried again in a millisecond. */
        c->due += c->pending_length ? 1000000 : c->next + 1 < c->tokens ? (itl ? itl : 1) : 1;
        if (!itl && !c->pending_length) c->due = until + 1;
        sift_down(1);
        if (c->pending_length) continue;
        if (send_next(c) < 0 || (!c->streaming && take_requests(c) < 0)) drop(c);
    }
}

static void serve_event(struct epoll_event *event) {
    connection *c = connections[event->data.fd];
    if (!c) return;
    if ((event->events & EPOLLOUT) && send_pending(c) < 0) {
        drop(c);
        return;
    }
    if ((event->events & (EPOLLIN | EPOLLHUP | EPOLLERR)) && receive(c) < 0) drop(c);
}

static int arm(int timer) {
    static uint64_t armed;
    uint64_t due = heap_length ? heap[1]->due : 0;
    if (!due) return -1;
    if (due <= now()) return 0;
    if (due != armed) {
        struct itimerspec at = {.it_value = {due / SECOND, due % SECOND}};
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
        armed = due;
    }
    return -1;
}

static int listen_on_any(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof where;
    if (bind(fd, (void *)&where, size) || listen(fd, 4096) || getsockname(fd, (void *)&where, &size)) {
        perror("mock");
        exit(1);
    }
    printf("%d\n", ntohs(where.sin_port));
    fflush(stdout);
    return fd;
}

static void on_signal(int number) {
    (void)number;
    stopped = 1;
}

int main(int count, char **words) {
    if (count != 5) return 2;
    itl = atoll(words[1]) * 1000;
    ttft = atoll(words[2]) * 1000;
    in_step = !strcmp(words[3], "step");
    records = mmap(NULL, MOST_RECORDS * sizeof(record), PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    int listener = listen_on_any(), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    epoll_fd = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = listener}, events[MOST_EVENTS];
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, listener, &e);
    e.data.fd = timer;
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, timer, &e);
    while (!stopped) {
        int ready = epoll_wait(epoll_fd, events, MOST_EVENTS, arm(timer));
        for (int i = 0; i < ready; i++) {
            uint64_t expirations;
            if (events[i].data.fd == listener) accept_all(listener);
            else if (events[i].data.fd == timer) (void)!read(timer, &expirations, sizeof expirations);
            else serve_event(&events[i]);
        }
        serve_due();
    }
    FILE *truth = fopen(words[4], "wb");
    if (!truth) return 1;
    fwrite(records, sizeof(record), record_count, truth);
    return fclose(truth) ? 1 : 0;
}
