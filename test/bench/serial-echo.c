/* A till in C: writes 20 bytes on a serial line, waits for as many, N times; prints each round trip in microseconds. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 20 };

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec * 1e6 + (double)at.tv_nsec / 1e3;
}

int main(int count, char **words) {
  if (count < 3) return 2;
  int line = open(words[1], O_RDWR | O_NOCTTY);
  if (line < 0) return 1;
  struct termios raw;
  if (tcgetattr(line, &raw) != 0) return 1;
  cfmakeraw(&raw);
  tcsetattr(line, TCSANOW, &raw);
  char frame[BYTES] = "0123456789012345678", heard[BYTES];
  for (int times = atoi(words[2]); times > 0; times -= 1) {
    double from = now();
    if (write(line, frame, BYTES) != BYTES) return 1;
    for (int have = 0; have < BYTES;) {
      ssize_t more = read(line, heard + have, (size_t)(BYTES - have));
      if (more <= 0) return 1;
      have += (int)more;
    }
    printf("%.1f\n", now() - from);
  }
  return 0;
}
