/* The cheapest client there can be: epoll, recv, and the clock; nothing is kept and nothing parsed.
 *
 *     floor PORT STREAMS REQUESTS TOKENS
 *
 * So many streams at once until all requests are done. It prints the CPU time (user and system), in µs, that the
 * load took, and the seconds it lasted.
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST_EVENTS 256
#define MOST_READS (1 << 24)
#define END "0\r\n\r\n"

static uint64_t times[MOST_READS];

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static double cpu_us(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

static void ask(int fd, int number, int tokens) {
    char body[1024], request[2048], *at = body;
    at += sprintf(at, "{\"model\":\"m\",\"prompt\":\"");
    for (int i = 0; i < 64; i++) at += sprintf(at, "hello ");
    sprintf(at, "\",\"max_tokens\":%d,\"seed\":%d,\"stream\":true}", tokens, number);
    int length = sprintf(request, "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n\r\n%s",
        strlen(body), body);
    if (send(fd, request, length, 0) != length) exit(1);
}

static int dial(int port, int epoll_fd) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in where = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(fd, (void *)&where, sizeof where)) exit(1);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &e);
    return fd;
}

int main(int count, char **words) {
    if (count != 5) return 2;
    int port = atoi(words[1]), streams = atoi(words[2]), requests = atoi(words[3]), tokens = atoi(words[4]);
    int epoll_fd = epoll_create1(0), sent = 0, busy = streams;
    static char bytes[1 << 16];
    struct epoll_event events[MOST_EVENTS];
    uint64_t reads = 0, began = now();
    double cpu = cpu_us();
    while (sent < streams) {
        int fd = dial(port, epoll_fd);
        ask(fd, sent++, tokens);
    }
    while (busy) {
        int ready = epoll_wait(epoll_fd, events, MOST_EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd, got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
            if (got <= 0) continue;
            times[reads++ % MOST_READS] = now();
            if (got < 5 || memcmp(bytes + got - 5, END, 5)) continue;
            if (sent < requests) ask(fd, sent++, tokens);
            else {
                close(fd);
                busy--;
            }
        }
    }
    printf("{\"cpu_us\": %.0f, \"wall_s\": %.6f, \"reads\": %lu}\n", cpu_us() - cpu, (now() - began) / 1e9, reads);
    return 0;
}
