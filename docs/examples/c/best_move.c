// The best play in each position given, and what it is worth to the side that plays, in points.
//
//     best_move MODEL POSITION...
//     best_move net.mnet mahbusa:O22o:0.0:w:64:0.0.0
//
// Exit codes: 0 done, 1 a position has no answer, 2 wrong command, or the model cannot be read, 3 it is none that can be used.

#include <stdio.h>

#include "mahbusa.h"

// Room for the plays of any position; too much for the stack of some threads.
static mahbusa_ranked_play plays[MAHBUSA_MAX_PLAYS];

static int best_move(const mahbusa_model *model, const char *text) {
  mahbusa_position position;
  char play[MAHBUSA_TEXT_SIZE];
  size_t count;
  if (mahbusa_position_parse(text, &position) != MAHBUSA_OK) return 0;
  if (mahbusa_rank(model, 1, &position, plays, MAHBUSA_MAX_PLAYS, &count) != MAHBUSA_OK) return 0;
  if (mahbusa_play_print(&plays[0].legal.play, NULL, play, sizeof play, NULL) != MAHBUSA_OK) return 0;
  printf("%s %+.3f\n", play, plays[0].equity);
  return 1;
}

int main(int count, char **arguments) {
  mahbusa_model *model;
  mahbusa_status status;
  int i, wrong = 0;
  if (count < 3) {
    fprintf(stderr, "usage: %s MODEL POSITION...\n", arguments[0]);
    return 2;
  }
  status = mahbusa_model_open(arguments[1], NULL, &model);
  if (status != MAHBUSA_OK) {
    fprintf(stderr, "%s\n", mahbusa_last_error());
    return status == MAHBUSA_ERROR_IO ? 2 : 3;
  }
  for (i = 2; i < count; i++) {
    if (!best_move(model, arguments[i])) {
      fprintf(stderr, "%s: %s\n", arguments[i], mahbusa_last_error());
      wrong = 1;
    }
  }
  mahbusa_model_free(model);
  return wrong;
}
