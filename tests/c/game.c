// Plays whole games through the C library, and uses every function of it; scripts/c-library builds and runs it.
//
//     game MAHBUSA.mnet TAPA.mnet [FOLDER]
//
// With a folder the models know the ends of games; the table is kept there. Says what is wrong and exits with 1 at the first thing that is.

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mahbusa.h"

#define CHECK(condition) \
  ((condition) ? (void)0 : (void)(fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), exit(1)))

// A call that must work.
#define WORKS(call) expect((call), MAHBUSA_OK, "", __LINE__, #call)

// A call that must fail in this way, with these words in its message.
#define FAILS(call, status, words) expect((call), (status), (words), __LINE__, #call)

static void expect(mahbusa_status found, mahbusa_status expected, const char *words, int line, const char *call) {
  const char *message = found == MAHBUSA_OK ? "" : mahbusa_last_error();
  if (found != expected || strstr(message, words) == NULL) {
    fprintf(stderr, "%s:%d: %s: returned %d (%s), expected %d (...%s...)\n", __FILE__, line, call, (int)found, message,
            (int)expected, words);
    exit(1);
  }
}

// All checks end the program, so that nothing needs to be freed then. Numbers that need not be good ones:
static uint64_t chance_state = 1;
static size_t any_below(size_t bound) {
  chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (size_t)(chance_state >> 33) % bound;
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *bytes;
  long end;
  CHECK(file != NULL);
  CHECK(fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0);
  bytes = malloc((size_t)end);
  CHECK(bytes != NULL && fread(bytes, 1, (size_t)end, file) == (size_t)end);
  fclose(file);
  *length = (size_t)end;
  return bytes;
}

static mahbusa_position parsed(const char *text) {
  mahbusa_position position;
  WORKS(mahbusa_position_parse(text, &position));
  return position;
}

// Structs have gaps, so that they are not compared byte by byte.
static int same_position(const mahbusa_position *one, const mahbusa_position *other) {
  char texts[2][MAHBUSA_TEXT_SIZE];
  WORKS(mahbusa_position_print(one, texts[0], MAHBUSA_TEXT_SIZE, NULL));
  WORKS(mahbusa_position_print(other, texts[1], MAHBUSA_TEXT_SIZE, NULL));
  return strcmp(texts[0], texts[1]) == 0;
}

static int same_play(const mahbusa_legal_play *one, const mahbusa_legal_play *other) {
  return one->play.count == other->play.count && memcmp(one->play.steps, other->play.steps, sizeof one->play.steps) == 0 &&
         one->ending == other->ending && one->points == other->points && same_position(&one->after, &other->after);
}

// ------------------------------------------------------------------------------------------------------------------
// What has no net

static void check_texts(void) {
  mahbusa_position position, again;
  mahbusa_play play;
  mahbusa_board flipped;
  char text[MAHBUSA_TEXT_SIZE], tight[4];
  size_t length;

  CHECK(strcmp(mahbusa_last_error(), "") == 0);
  CHECK(strchr(mahbusa_version(), '.') != NULL && mahbusa_abi() == MAHBUSA_ABI);

  WORKS(mahbusa_position_start("plakoto", &position));
  CHECK(position.mother == 1 && position.checkers == 15 && position.turn == MAHBUSA_WHITE && position.dice[0] == 0);
  CHECK(position.board.points[23] == 15 && position.board.points[0] == -15 && position.score[2] == 0);
  WORKS(mahbusa_position_print(&position, text, sizeof text, &length));
  CHECK(strcmp(text, "mahbusa:O22o:0.0:w:-:0.0.0") == 0 && length == strlen(text));
  FAILS(mahbusa_position_print(&position, tight, sizeof tight, &length), MAHBUSA_ERROR_CAPACITY, "room for 27");
  CHECK(length == 26);
  WORKS(mahbusa_position_print(&position, text, length + 1, NULL));
  FAILS(mahbusa_position_print(&position, text, 26, NULL), MAHBUSA_ERROR_CAPACITY, "room for 27");
  FAILS(mahbusa_position_print(&position, NULL, 0, &length), MAHBUSA_ERROR_CAPACITY, "room for 27");
  FAILS(mahbusa_position_print(&position, NULL, 5, &length), MAHBUSA_ERROR_ARGUMENT, "text: expected a pointer");
  FAILS(mahbusa_position_print(NULL, text, sizeof text, NULL), MAHBUSA_ERROR_ARGUMENT, "position: expected a pointer, found null");

  FAILS(mahbusa_position_start("chess", &position), MAHBUSA_ERROR_POSITION, "`mahbusa`, `plakoto` or `tapa`");
  FAILS(mahbusa_position_start("\xff", &position), MAHBUSA_ERROR_ARGUMENT, "rules: expected UTF-8");
  FAILS(mahbusa_position_start(NULL, &position), MAHBUSA_ERROR_ARGUMENT, "rules: expected a pointer");
  FAILS(mahbusa_position_parse("mahbusa:O21o:0.0:w:-:0.0.0", &position), MAHBUSA_ERROR_POSITION, "field board, column 13");
  FAILS(mahbusa_position_parse("mahbusa:O22o:0.0:w:-:0.0.0", NULL), MAHBUSA_ERROR_ARGUMENT, "position: expected a pointer");

  // A pin, seen by Black; and the same board seen by White.
  position = parsed("mahbusa:J5C4A~6A4n:0.0:b:31:0.0.0");
  CHECK(position.turn == MAHBUSA_BLACK && position.dice[0] == 3 && position.dice[1] == 1);
  CHECK(position.board.points[11] == -1 && position.board.pins[11] == 1 && position.board.points[23] == 14);
  WORKS(mahbusa_board_flip(&position.board, &flipped));
  CHECK(flipped.points[12] == 1 && flipped.pins[12] == -1 && flipped.points[0] == -14);
  WORKS(mahbusa_board_flip(&flipped, &flipped));
  CHECK(memcmp(&flipped, &position.board, sizeof flipped) == 0);

  // Whatever cannot be is refused by name.
  again = position;
  again.board.pins[11] = -1;
  FAILS(mahbusa_position_print(&again, text, sizeof text, NULL), MAHBUSA_ERROR_POSITION, "board: point 12: a checker of the other side is trapped");
  again = position;
  again.board.off[0] = 1;
  FAILS(mahbusa_position_print(&again, text, sizeof text, NULL), MAHBUSA_ERROR_POSITION, "expected 15 checkers of the side to roll");
  again = position;
  again.dice[1] = 7;
  FAILS(mahbusa_position_print(&again, text, sizeof text, NULL), MAHBUSA_ERROR_POSITION, "field dice");
  again = position;
  again.turn = 2;
  FAILS(mahbusa_position_print(&again, text, sizeof text, NULL), MAHBUSA_ERROR_POSITION, "field turn");
  again = position;
  again.mother = 2;
  FAILS(mahbusa_position_print(&again, text, sizeof text, NULL), MAHBUSA_ERROR_POSITION, "field mother");
  again = position;
  again.checkers = 0;
  FAILS(mahbusa_position_print(&again, text, sizeof text, NULL), MAHBUSA_ERROR_POSITION, "field checkers");
  again = position;
  again.score[0] = 3;
  FAILS(mahbusa_position_print(&again, text, sizeof text, NULL), MAHBUSA_ERROR_POSITION, "field score");
  again = position;
  again.dice[0] = 1;
  again.dice[1] = 3;
  WORKS(mahbusa_position_print(&again, text, sizeof text, NULL));
  CHECK(strcmp(text, "mahbusa:J5C4A~6A4n:0.0:b:31:0.0.0") == 0);

  // Plays.
  WORKS(mahbusa_play_parse("24/20(2) 20/16~", &play));
  CHECK(play.count == 3 && play.steps[0].from == 24 && play.steps[2].to == 16);
  WORKS(mahbusa_play_print(&play, NULL, text, sizeof text, &length));
  CHECK(strcmp(text, "24/20 24/20 20/16") == 0 && length == strlen(text));
  WORKS(mahbusa_play_parse("-", &play));
  CHECK(play.count == 0);
  FAILS(mahbusa_play_parse("24/17", &play), MAHBUSA_ERROR_PLAY, "`24/17`");
  play.count = 5;
  FAILS(mahbusa_play_print(&play, NULL, text, sizeof text, NULL), MAHBUSA_ERROR_PLAY, "at most 4 steps");
  play.count = 1;
  play.steps[0].from = 25;
  FAILS(mahbusa_play_print(&play, NULL, text, sizeof text, NULL), MAHBUSA_ERROR_PLAY, "25/");
  position = parsed("mahbusa:O3a18n:0.0:w:44:0.0.0");
  WORKS(mahbusa_play_parse("20/16 24/20", &play));
  FAILS(mahbusa_play_print(&play, &position, text, sizeof text, NULL), MAHBUSA_ERROR_PLAY, "not a legal play");
  WORKS(mahbusa_play_parse("24/20 20/16 24/20 20/16", &play));
  WORKS(mahbusa_play_print(&play, &position, text, sizeof text, NULL));
  CHECK(strcmp(text, "24/20~(2) 20/16(2)") == 0);
}

static void check_plays(void) {
  static mahbusa_legal_play plays[MAHBUSA_MAX_PLAYS];
  mahbusa_position position = parsed("mahbusa:O22o:0.0:w:64:0.0.0");
  mahbusa_legal_play found;
  mahbusa_play play;
  mahbusa_turn turn;
  mahbusa_match match;
  uint8_t ending, points, dice[2], other[2], side;
  size_t count;
  uint64_t game;
  int openings[2] = {0, 0};

  FAILS(mahbusa_legal_plays(&position, NULL, 0, &count), MAHBUSA_ERROR_CAPACITY, "room for 2 is needed");
  CHECK(count == 2);
  FAILS(mahbusa_legal_plays(&position, plays, 2, NULL), MAHBUSA_ERROR_ARGUMENT, "count: expected a pointer");
  WORKS(mahbusa_legal_plays(&position, plays, 2, &count));
  CHECK(count == 2 && plays[0].play.count == 2 && plays[0].play.steps[0].to == 18 && plays[1].play.steps[1].to == 14);
  CHECK(plays[0].after.turn == MAHBUSA_BLACK && plays[0].after.dice[0] == 0 && plays[0].ending == MAHBUSA_ENDING_NONE);
  position.dice[0] = position.dice[1] = 0;
  FAILS(mahbusa_legal_plays(&position, plays, 2, &count), MAHBUSA_ERROR_PLAY, "with dice");

  // Step by step: by the four first, which is the same play as by the six first.
  position = parsed("mahbusa:O22o:0.0:w:64:0.0.0");
  WORKS(mahbusa_legal_steps(&position, NULL, &turn));
  CHECK(turn.count == 2 && !turn.complete && turn.dice_left[0] == 6 && turn.dice_left[1] == 4 && turn.dice_left[2] == 0);
  CHECK(turn.steps[1].step.from == 24 && turn.steps[1].step.to == 20 && turn.steps[1].die == 4 && !turn.steps[1].pins);
  play.count = 1;
  play.steps[0] = turn.steps[1].step;
  WORKS(mahbusa_legal_steps(&position, &play, &turn));
  CHECK(!turn.complete && turn.board.points[19] == 1 && turn.dice_left[0] == 6 && turn.dice_left[1] == 0);
  FAILS(mahbusa_find_play(&position, &play, &found), MAHBUSA_ERROR_PLAY, "`24/20` is not a legal play");
  WORKS(mahbusa_play_parse("24/20 20/14", &play));
  WORKS(mahbusa_legal_steps(&position, &play, &turn));
  CHECK(turn.complete && turn.count == 0 && turn.ending == MAHBUSA_ENDING_NONE);
  WORKS(mahbusa_find_play(&position, &play, &found));
  CHECK(same_play(&found, &plays[1]));
  WORKS(mahbusa_play_parse("24/20 24/20", &play));
  FAILS(mahbusa_legal_steps(&position, &play, &turn), MAHBUSA_ERROR_PLAY, "after `24/20`, `24/20` is not a legal step");

  // A turn that must be passed is complete from the beginning.
  position = parsed("mahbusa:4k6A1b2b6N:0.0:w:52:0.0.0");
  WORKS(mahbusa_legal_steps(&position, NULL, &turn));
  CHECK(turn.complete && turn.count == 0);
  play.count = 0;
  WORKS(mahbusa_find_play(&position, &play, &found));
  CHECK(found.play.count == 0 && found.after.turn == MAHBUSA_BLACK);

  // A step that ends the game ends the turn.
  position = parsed("mahbusa,checkers=2:b22A:1.0:w:61:0.0.0");
  WORKS(mahbusa_play_parse("1/off", &play));
  WORKS(mahbusa_legal_steps(&position, &play, &turn));
  CHECK(turn.complete && turn.ending == MAHBUSA_ENDING_MARS);
  WORKS(mahbusa_find_play(&position, &play, &found));
  CHECK(found.ending == MAHBUSA_ENDING_MARS && found.points == 2);
  WORKS(mahbusa_position_ending(&found.after, &ending, &points));
  CHECK(ending == MAHBUSA_ENDING_MARS && points == 2);
  FAILS(mahbusa_legal_steps(&found.after, NULL, &turn), MAHBUSA_ERROR_PLAY, "this one is over");
  WORKS(mahbusa_match_after(&found.after, &match));
  CHECK(match.over == 1 && match.winner == MAHBUSA_WHITE && match.opener == 255);
  found.after.score[1] = 2;
  found.after.score[2] = 3;
  WORKS(mahbusa_match_after(&found.after, &match));
  CHECK(match.over == 0 && match.winner == 255 && match.opener == MAHBUSA_WHITE);
  CHECK(match.score[0] == 2 && match.score[1] == 2 && match.score[2] == 3);
  found.after.score[0] = 2;
  WORKS(mahbusa_match_after(&found.after, &match));
  CHECK(match.over == 1 && match.winner == MAHBUSA_WHITE && match.score[0] == 3);
  FAILS(mahbusa_match_after(&position, &match), MAHBUSA_ERROR_PLAY, "this one goes on");

  // Both starts are pinned.
  position = parsed("tapa:n~21MA~:0.0:b:-:0.0.0");
  WORKS(mahbusa_position_ending(&position, &ending, NULL));
  CHECK(ending == MAHBUSA_ENDING_DRAW);
  position.dice[0] = position.dice[1] = 1;
  FAILS(mahbusa_position_ending(&position, &ending, NULL), MAHBUSA_ERROR_POSITION, "since the game is over");

  // Dice: the numbers of docs/c-library.md.
  WORKS(mahbusa_roll(7, 0, 0, dice));
  CHECK(dice[0] == 6 && dice[1] == 3);
  WORKS(mahbusa_roll(7, 0, 1, dice));
  CHECK(dice[0] == 4 && dice[1] == 2);
  WORKS(mahbusa_roll(7, 1, 1, other));
  WORKS(mahbusa_roll(7, 1, MAHBUSA_MAX_TURN - 1, other));
  FAILS(mahbusa_roll(7, 1, MAHBUSA_MAX_TURN, other), MAHBUSA_ERROR_ARGUMENT, "turn: expected a number below 100000");
  FAILS(mahbusa_roll(7, 1, 0, NULL), MAHBUSA_ERROR_ARGUMENT, "dice: expected a pointer");
  for (game = 0; game < 100; game++) {
    WORKS(mahbusa_opening(7, game, dice, &side));
    CHECK(dice[0] != dice[1] && side == (dice[0] > dice[1] ? MAHBUSA_WHITE : MAHBUSA_BLACK));
    openings[side]++;
  }
  CHECK(openings[0] > 25 && openings[1] > 25);
  WORKS(mahbusa_opening(7, 0, NULL, &side));

  // The first game of `mahbusa play --seed 7`: the numbers of docs/formats.md.
  WORKS(mahbusa_opening(7, 1, dice, &side));
  CHECK(dice[0] == 4 && dice[1] == 2 && side == MAHBUSA_WHITE);
  WORKS(mahbusa_roll(7, 1, 0, dice));
  CHECK(dice[0] == 4 && dice[1] == 2);
  WORKS(mahbusa_roll(7, 1, 11, dice));
  CHECK(dice[0] == 6 && dice[1] == 3);
}

// ------------------------------------------------------------------------------------------------------------------
// Nets

// Levels for two nets, as `mahbusa levels` writes them.
static char *levels_text(const char *rules, const char *full, const char *small) {
  static const char *names[] = {"beginner", "casual", "intermediate", "advanced", "expert", "full"};
  const size_t size = 8192;
  char *text = malloc(size);
  size_t length;
  int level;
  CHECK(text != NULL);
  length = (size_t)snprintf(text, size,
                            "{\"mahbusa\": \"levels\", \"format\": 1, \"rules\": \"%s\", \"full\": \"%s\", \"small\": \"%s\", "
                            "\"choice\": \"\", \"levels\": [",
                            rules, full, small);
  for (level = 1; level <= 6; level++) {
    const char *below =
        "\"against_below\": {\"games\": 2, \"seed\": 1, \"win_rate\": {\"mean\": 0.67, \"low\": 0.6, \"high\": 0.7}, "
        "\"points_per_game\": {\"mean\": 0.5, \"low\": 0.4, \"high\": 0.6}}, ";
    length += (size_t)snprintf(text + length, size - length,
                               "%s{\"level\": %d, \"name\": \"%s\", \"net\": \"%s\", \"ply\": %d, %s\"noise\": %s, \"cap\": %s, "
                               "\"loss\": {\"mean\": 20, \"low\": 19, \"high\": 21}}",
                               level == 1 ? "" : ", ", level, names[level - 1], level < 4 ? "small" : "full",
                               level == 6 ? 2 : 1, level == 1 ? "" : below, level == 6 ? "0" : "0.1", level == 6 ? "0" : "0.3");
  }
  length += (size_t)snprintf(text + length, size - length, "]}");
  CHECK(length < size);
  return text;
}

static void check_handles(const char *path, mahbusa_endings *endings, mahbusa_model *model) {
  mahbusa_model *other = model;
  mahbusa_levels *levels;
  mahbusa_model_info info, again;
  char *bytes, *text;
  size_t length;

  WORKS(mahbusa_model_describe(model, &info));
  CHECK(info.games > 0 && info.hidden >= 16 && info.checkers == 15 && strlen(info.hash) == 64);

  // The same net out of memory; and what is none.
  bytes = read_file(path, &length);
  WORKS(mahbusa_model_from_bytes((uint8_t *)bytes, length, endings, &other));
  WORKS(mahbusa_model_describe(other, &again));
  CHECK(strcmp(info.hash, again.hash) == 0);
  WORKS(mahbusa_model_free(other));
  bytes[length / 2] ^= 1;
  FAILS(mahbusa_model_from_bytes((uint8_t *)bytes, length, endings, &other), MAHBUSA_ERROR_FILE, "damaged");
  CHECK(other == NULL);
  FAILS(mahbusa_model_from_bytes((uint8_t *)bytes, 3, NULL, &other), MAHBUSA_ERROR_FILE, "this is not a weights file");
  FAILS(mahbusa_model_from_bytes(NULL, 0, NULL, &other), MAHBUSA_ERROR_FILE, "this is not a weights file");
  FAILS(mahbusa_model_from_bytes(NULL, 9, NULL, &other), MAHBUSA_ERROR_ARGUMENT, "bytes: expected a pointer");
  free(bytes);
  FAILS(mahbusa_model_open("no such file", NULL, &other), MAHBUSA_ERROR_IO, "no such file: ");
  FAILS(mahbusa_model_open("", NULL, &other), MAHBUSA_ERROR_ARGUMENT, "path: expected a path, found nothing");
  FAILS(mahbusa_model_open(__FILE__, NULL, &other), MAHBUSA_ERROR_FILE, "this is not a weights file");
  FAILS(mahbusa_model_open(path, NULL, NULL), MAHBUSA_ERROR_ARGUMENT, "model: expected a pointer");
  FAILS(mahbusa_model_describe(NULL, &info), MAHBUSA_ERROR_ARGUMENT, "model: expected a pointer");

  // Levels that are those of other nets, or damaged, or of another sort than asked for.
  text = levels_text(info.mother ? "mahbusa" : "tapa", info.hash, info.hash);
  WORKS(mahbusa_levels_from_json(text, strlen(text), model, NULL, &levels));
  FAILS(mahbusa_model_describe((mahbusa_model *)(void *)levels, &info), MAHBUSA_ERROR_ARGUMENT, "expected a handle of mahbusa_model");
  FAILS(mahbusa_levels_free((mahbusa_levels *)(void *)model), MAHBUSA_ERROR_ARGUMENT, "expected a handle of mahbusa_levels");
  WORKS(mahbusa_levels_free(levels));
  FAILS(mahbusa_levels_from_json(text, strlen(text) - 1, model, NULL, &levels), MAHBUSA_ERROR_FILE, "json: damaged");
  CHECK(levels == NULL);
  *strstr(text, info.hash) = info.hash[0] == '0' ? '1' : '0';
  FAILS(mahbusa_levels_from_json(text, strlen(text), model, NULL, &levels), MAHBUSA_ERROR_MISMATCH, "the full net of these levels is");
  text[0] = '\xff';
  FAILS(mahbusa_levels_from_json(text, strlen(text), model, NULL, &levels), MAHBUSA_ERROR_ARGUMENT, "json: expected UTF-8");
  free(text);
  FAILS(mahbusa_levels_open("no such file", model, NULL, &levels), MAHBUSA_ERROR_IO, "no such file: ");

  WORKS(mahbusa_model_free(NULL));
  WORKS(mahbusa_levels_free(NULL));
  WORKS(mahbusa_endings_free(NULL));
}

static void check_evaluation(const mahbusa_model *model, const char *rules) {
  mahbusa_position position;
  mahbusa_board boards[3];
  float outcomes[15], equities[3], sum;
  int i;
  WORKS(mahbusa_position_start(rules, &position));
  for (i = 0; i < 3; i++) boards[i] = position.board;
  // The side to roll has lost a mars.
  memset(&boards[1], 0, sizeof boards[1]);
  boards[1].points[23] = 15;
  boards[1].off[1] = 15;
  for (i = 1; i <= 2; i++) {
    WORKS(mahbusa_evaluate(model, (uint32_t)i, boards, 3, outcomes, equities));
    sum = outcomes[0] + outcomes[1] + outcomes[2] + outcomes[3] + outcomes[4];
    CHECK(fabsf(sum - 1.0f) < 1e-4f && equities[0] > 0.0f && equities[0] < 1.0f && equities[0] == equities[2]);
    CHECK(outcomes[5] == 1.0f && equities[1] == -2.0f);
  }
  WORKS(mahbusa_evaluate(model, 1, boards, 3, NULL, equities));
  WORKS(mahbusa_evaluate(model, 1, boards, 3, outcomes, NULL));
  WORKS(mahbusa_evaluate(model, 1, NULL, 0, NULL, NULL));
  FAILS(mahbusa_evaluate(model, 0, boards, 3, outcomes, NULL), MAHBUSA_ERROR_ARGUMENT, "ply: expected 1 to 3, found 0");
  FAILS(mahbusa_evaluate(model, 1, boards, (size_t)-1, outcomes, NULL), MAHBUSA_ERROR_ARGUMENT, "a count that memory can hold");
  boards[2].points[4] = 1;
  FAILS(mahbusa_evaluate(model, 1, boards, 3, outcomes, NULL), MAHBUSA_ERROR_POSITION, "board number 2: expected 15 checkers");
  boards[2].points[4] = 0;
  boards[2].points[23] = 0;
  boards[2].off[0] = 15;
  FAILS(mahbusa_evaluate(model, 1, boards, 3, outcomes, NULL), MAHBUSA_ERROR_POSITION, "board number 2: the side to roll has ended the game");
}

#define REFUSED(call) FAILS(call, MAHBUSA_ERROR_ARGUMENT, ": expected a")

// Null for every pointer, pointers that are not aligned, numbers that are none, and any bytes at all: errors, or what they happen to mean.
static void check_abuse(const mahbusa_model *model, const char *rules) {
  static mahbusa_ranked_play ranked[MAHBUSA_MAX_PLAYS];
  mahbusa_position position, odd;
  mahbusa_legal_play found;
  mahbusa_play play;
  mahbusa_turn turn;
  mahbusa_match match;
  float numbers[5] = {0.2f, 0.2f, 0.2f, 0.2f, NAN}, chance;
  char text[MAHBUSA_TEXT_SIZE];
  uint8_t ending;
  size_t count, i, again;

  REFUSED(mahbusa_position_start(NULL, NULL));
  REFUSED(mahbusa_position_parse(NULL, NULL));
  REFUSED(mahbusa_position_print(NULL, NULL, 0, NULL));
  REFUSED(mahbusa_position_ending(NULL, NULL, NULL));
  REFUSED(mahbusa_board_flip(NULL, NULL));
  REFUSED(mahbusa_match_after(NULL, NULL));
  REFUSED(mahbusa_legal_plays(NULL, NULL, 0, NULL));
  REFUSED(mahbusa_find_play(NULL, NULL, NULL));
  REFUSED(mahbusa_legal_steps(NULL, NULL, NULL));
  REFUSED(mahbusa_play_parse(NULL, NULL));
  REFUSED(mahbusa_play_print(NULL, NULL, NULL, 0, NULL));
  REFUSED(mahbusa_roll(1, 1, 1, NULL));
  REFUSED(mahbusa_opening(1, 1, NULL, NULL));
  REFUSED(mahbusa_endings_open(NULL, NULL));
  REFUSED(mahbusa_model_open(NULL, NULL, NULL));
  REFUSED(mahbusa_model_from_bytes(NULL, 0, NULL, NULL));
  REFUSED(mahbusa_model_describe(NULL, NULL));
  REFUSED(mahbusa_evaluate(NULL, 1, NULL, 0, NULL, NULL));
  REFUSED(mahbusa_rank(NULL, 1, NULL, NULL, 0, NULL));
  REFUSED(mahbusa_match_chance(NULL, NULL, NULL, NULL));
  REFUSED(mahbusa_levels_open(NULL, NULL, NULL, NULL));
  REFUSED(mahbusa_levels_from_json(NULL, 0, NULL, NULL, NULL));
  REFUSED(mahbusa_level_describe(NULL, 1, NULL));
  REFUSED(mahbusa_choose(NULL, 1, 1, NULL, NULL));
  REFUSED(mahbusa_rank_at_level(NULL, 1, 1, NULL, NULL, 0, NULL, NULL));

  WORKS(mahbusa_position_start(rules, &position));
  position.dice[0] = 6;
  position.dice[1] = 4;
  position.score[2] = 5;
  FAILS(mahbusa_rank(model, 1, &position, (mahbusa_ranked_play *)((uintptr_t)ranked + 1), 9, &count), MAHBUSA_ERROR_ARGUMENT, "plays: expected an aligned pointer");
  FAILS(mahbusa_rank(model, 1, &position, ranked, (size_t)-1, &count), MAHBUSA_ERROR_ARGUMENT, "a count that memory can hold");
  FAILS(mahbusa_match_chance(model, &position, numbers, numbers), MAHBUSA_ERROR_ARGUMENT, "expected probabilities, 0 to 1, found NaN");
  numbers[0] = numbers[1] = numbers[2] = numbers[3] = numbers[4] = 1.0f;
  FAILS(mahbusa_match_chance(model, &position, numbers, &chance), MAHBUSA_ERROR_ARGUMENT, "whose sum is 1, found the sum 5");
  numbers[0] = numbers[1] = numbers[2] = numbers[3] = numbers[4] = 0.0f;
  FAILS(mahbusa_match_chance(model, &position, numbers, &chance), MAHBUSA_ERROR_ARGUMENT, "whose sum is 1, found the sum 0");
  position.score[2] = 501;
  FAILS(mahbusa_rank(model, 1, &position, ranked, 9, &count), MAHBUSA_ERROR_POSITION, "a match to at most 500 points");
  for (i = 0; i < 5000; i++) {
    odd = parsed("mahbusa:J5C4A~6A4n:0.0:b:31:0.0.0");
    odd.mother = position.mother;
    for (again = any_below(3); again > 0; again--) ((uint8_t *)&odd)[any_below(sizeof odd)] = (uint8_t)(any_below(2) ? any_below(5) - 2 : any_below(256));
    for (again = 0; again < sizeof play; again++) ((uint8_t *)&play)[again] = (uint8_t)any_below(27);
    play.count %= 6;
    CHECK(mahbusa_rank(model, 1, &odd, ranked, MAHBUSA_MAX_PLAYS, &count) < MAHBUSA_ERROR_INTERNAL);
    CHECK(mahbusa_evaluate(model, 1, &odd.board, 1, numbers, NULL) < MAHBUSA_ERROR_INTERNAL);
    CHECK(mahbusa_find_play(&odd, &play, &found) < MAHBUSA_ERROR_INTERNAL);
    CHECK(mahbusa_legal_steps(&odd, &play, &turn) < MAHBUSA_ERROR_INTERNAL);
    CHECK(mahbusa_play_print(&play, &odd, text, sizeof text, NULL) < MAHBUSA_ERROR_INTERNAL);
    CHECK(mahbusa_match_after(&odd, &match) < MAHBUSA_ERROR_INTERNAL);
    CHECK(mahbusa_position_ending(&odd, &ending, NULL) < MAHBUSA_ERROR_INTERNAL);
    WORKS(mahbusa_board_flip(&odd.board, &odd.board));
  }
}

// What two threads get is what one gets.
struct batch {
  const mahbusa_model *model;
  const mahbusa_board *boards;
  size_t count;
  float *equities;
};

static void *evaluate_batch(void *given) {
  struct batch *batch = given;
  int again;
  for (again = 0; again < 3; again++)
    WORKS(mahbusa_evaluate(batch->model, 1, batch->boards, batch->count, NULL, batch->equities));
  // Each thread has its own last error.
  CHECK(strcmp(mahbusa_last_error(), "") == 0);
  FAILS(mahbusa_evaluate(NULL, 1, NULL, 0, NULL, NULL), MAHBUSA_ERROR_ARGUMENT, "model: expected a pointer");
  return NULL;
}

static void check_threads(const mahbusa_model *model, const mahbusa_board *boards, size_t count) {
  enum { THREADS = 2 };
  float *equities = malloc((THREADS + 1) * count * sizeof *equities);
  struct batch batches[THREADS];
  pthread_t threads[THREADS];
  int i;
  CHECK(equities != NULL);
  WORKS(mahbusa_evaluate(model, 1, boards, count, NULL, equities));
  for (i = 0; i < THREADS; i++) {
    batches[i].model = model;
    batches[i].boards = boards;
    batches[i].count = count;
    batches[i].equities = equities + (size_t)(i + 1) * count;
    CHECK(pthread_create(&threads[i], NULL, evaluate_batch, &batches[i]) == 0);
  }
  for (i = 0; i < THREADS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(memcmp(equities, batches[i].equities, count * sizeof *equities) == 0);
  }
  free(equities);
}

// ------------------------------------------------------------------------------------------------------------------
// Whole games

// What the net says of plays is what it says of the boards after them, and the best is first.
static void check_ranking(const mahbusa_model *model, const mahbusa_position *position, const mahbusa_ranked_play *ranked, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    const mahbusa_ranked_play *play = &ranked[i];
    float equity;
    WORKS(mahbusa_evaluate(model, 1, &play->legal.after.board, 1, NULL, &equity));
    CHECK(play->ply == 1 && fabsf(play->equity + equity) < 1e-4f);
    CHECK(position->score[2] > 0 ? play->match_chance >= 0.0f && play->match_chance <= 1.0f : play->match_chance == -1.0f);
    CHECK(i == 0 || position->score[2] > 0 || ranked[i - 1].equity >= play->equity);
    CHECK(i == 0 || position->score[2] == 0 || ranked[i - 1].match_chance >= play->match_chance);
    if (position->score[2] > 0) {
      float chance;
      WORKS(mahbusa_match_chance(model, position, play->outcomes, &chance));
      CHECK(chance == play->match_chance);
    }
  }
}

// A turn as people play it: any legal step after the other, sometimes one back, until there are none.
static mahbusa_legal_play play_by_hand(const mahbusa_position *position) {
  mahbusa_play taken = {0, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}};
  mahbusa_legal_play play;
  mahbusa_turn turn;
  for (;;) {
    WORKS(mahbusa_legal_steps(position, &taken, &turn));
    CHECK(turn.complete == (turn.count == 0) && turn.count <= MAHBUSA_MAX_STEPS);
    if (turn.complete) break;
    if (taken.count > 0 && any_below(5) == 0) {
      taken.count--;
    } else {
      taken.steps[taken.count++] = turn.steps[any_below(turn.count)].step;
    }
  }
  WORKS(mahbusa_find_play(position, &taken, &play));
  WORKS(mahbusa_board_flip(&turn.board, &turn.board));
  CHECK(memcmp(&turn.board, &play.after.board, sizeof turn.board) == 0 && turn.ending == play.ending);
  return play;
}

// White plays at changing levels, Black by hand: steps at random in Mahbusa, the best play of the net in Tapa.
static void play_game(const char *rules, const mahbusa_model *model, const mahbusa_levels *levels, uint16_t match) {
  static mahbusa_ranked_play ranked[MAHBUSA_MAX_PLAYS];
  static mahbusa_legal_play plays[MAHBUSA_MAX_PLAYS];
  static mahbusa_board boards[1000];
  mahbusa_position position, again;
  mahbusa_legal_play play, same;
  mahbusa_match result;
  char text[MAHBUSA_TEXT_SIZE];
  uint8_t side, ending, points;
  size_t count, number, chosen, i, seen = 0;
  uint32_t turn;

  WORKS(mahbusa_position_start(rules, &position));
  WORKS(mahbusa_opening(1, match, NULL, &side));
  position.turn = side;
  position.score[2] = match;
  for (turn = 0;; turn++) {
    CHECK(turn < 1000);
    boards[seen++] = position.board;
    WORKS(mahbusa_roll(1, match, turn, position.dice));
    WORKS(mahbusa_position_print(&position, text, sizeof text, NULL));
    WORKS(mahbusa_position_parse(text, &again));
    CHECK(same_position(&again, &position));
    WORKS(mahbusa_legal_plays(&position, plays, MAHBUSA_MAX_PLAYS, &number));
    WORKS(mahbusa_rank(model, 1, &position, ranked, MAHBUSA_MAX_PLAYS, &count));
    CHECK(count == number);
    check_ranking(model, &position, ranked, count);
    if (position.turn == MAHBUSA_WHITE) {
      uint32_t level = 1 + turn / 2 % MAHBUSA_MAX_LEVEL;
      WORKS(mahbusa_choose(levels, level, turn, &position, &play));
      FAILS(mahbusa_rank_at_level(levels, level, turn, &position, ranked, 0, &count, &chosen), MAHBUSA_ERROR_CAPACITY, "is needed");
      CHECK(count == number);
      WORKS(mahbusa_rank_at_level(levels, level, turn, &position, ranked, count, &count, &chosen));
      CHECK(count == number && chosen < count && same_play(&ranked[chosen].legal, &play));
      CHECK(level < MAHBUSA_MAX_LEVEL || chosen == 0);
    } else {
      play = match > 0 ? ranked[0].legal : play_by_hand(&position);
    }
    for (i = 0; i < number && !same_play(&plays[i], &play); i++) continue;
    CHECK(i < number);
    WORKS(mahbusa_find_play(&position, &play.play, &same));
    CHECK(same_play(&same, &play));
    WORKS(mahbusa_play_print(&play.play, &position, text, sizeof text, NULL));
    WORKS(mahbusa_position_ending(&play.after, &ending, &points));
    CHECK(ending == play.ending && points == play.points);
    position = play.after;
    if (ending != MAHBUSA_ENDING_NONE) break;
  }
  WORKS(mahbusa_match_after(&position, &result));
  CHECK(points > 0 ? result.score[1 - position.turn] == (match > 0 ? points : 0) : result.opener == 255);
  check_threads(model, boards, seen);
  WORKS(mahbusa_position_print(&position, text, sizeof text, NULL));
  printf("%s: %u turns, ending %u, %u points for %s: %s\n", rules, (unsigned)turn + 1, (unsigned)ending, (unsigned)points,
         position.turn == MAHBUSA_WHITE ? "Black" : "White", text);
}

static void check_rules(const char *rules, const char *path, mahbusa_endings *endings, uint16_t match) {
  mahbusa_model *model;
  mahbusa_levels *levels, *alone;
  mahbusa_model_info info;
  mahbusa_level_info level;
  mahbusa_position position;
  mahbusa_legal_play play;
  mahbusa_ranked_play ranked[2];
  float won[5] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f};
  char *text;
  size_t count;
  uint32_t number;

  WORKS(mahbusa_model_open(path, endings, &model));
  check_handles(path, endings, model);
  check_evaluation(model, rules);
  check_abuse(model, rules);
  WORKS(mahbusa_model_describe(model, &info));
  text = levels_text(rules, info.hash, info.hash);
  WORKS(mahbusa_levels_from_json(text, strlen(text), model, model, &levels));
  WORKS(mahbusa_levels_from_json(text, strlen(text), model, NULL, &alone));
  free(text);
  for (number = 1; number <= MAHBUSA_MAX_LEVEL; number++) {
    WORKS(mahbusa_level_describe(levels, number, &level));
    CHECK(level.level == number && level.ply == (number == 6 ? 2 : 1) && level.small == (number < 4));
    CHECK(strlen(level.name) > 0 && (number == 1 ? level.win_rate == -1.0 : level.win_rate == 0.67) && level.loss == 20.0);
  }
  FAILS(mahbusa_level_describe(levels, 7, &level), MAHBUSA_ERROR_ARGUMENT, "level: expected 1 to 6, found 7");
  FAILS(mahbusa_level_describe(levels, 0, &level), MAHBUSA_ERROR_ARGUMENT, "level: expected 1 to 6, found 0");

  WORKS(mahbusa_position_start(rules, &position));
  FAILS(mahbusa_choose(levels, 4, 1, &position, &play), MAHBUSA_ERROR_PLAY, "with dice");
  FAILS(mahbusa_match_chance(model, &position, won, won), MAHBUSA_ERROR_PLAY, "a single game");
  position.dice[0] = 6;
  position.dice[1] = 4;
  FAILS(mahbusa_choose(alone, 1, 1, &position, &play), MAHBUSA_ERROR_MISMATCH, "level 1 asks the small net");
  WORKS(mahbusa_choose(alone, 4, 1, &position, &play));
  FAILS(mahbusa_rank(model, 1, &position, ranked, 1, &count), MAHBUSA_ERROR_CAPACITY, "room for 2 is needed, there is room for 1");
  WORKS(mahbusa_rank(model, 3, &position, ranked, 2, &count));
  CHECK(count == 2 && ranked[0].ply == 3 && ranked[0].equity >= ranked[1].equity);
  position.mother = !position.mother;
  FAILS(mahbusa_rank(model, 1, &position, ranked, 2, &count), MAHBUSA_ERROR_MISMATCH, "the net was trained on");
  FAILS(mahbusa_choose(levels, 4, 1, &position, &play), MAHBUSA_ERROR_MISMATCH, "the net was trained on");
  WORKS(mahbusa_levels_free(alone));

  play_game(rules, model, levels, match);
  // The levels keep their net.
  WORKS(mahbusa_model_free(model));
  position.mother = !position.mother;
  WORKS(mahbusa_choose(levels, 6, 1, &position, &play));
  WORKS(mahbusa_levels_free(levels));
}

int main(int count, char **arguments) {
  mahbusa_endings *endings = NULL;
  if (count < 3 || count > 4) {
    fprintf(stderr, "usage: %s MAHBUSA.mnet TAPA.mnet [FOLDER]\n", arguments[0]);
    return 2;
  }
  check_texts();
  check_plays();
  if (count == 4) {
    WORKS(mahbusa_endings_open(arguments[3], &endings));
    FAILS(mahbusa_model_free((mahbusa_model *)(void *)endings), MAHBUSA_ERROR_ARGUMENT, "expected a handle of mahbusa_model");
  }
  check_rules("mahbusa", arguments[1], endings, 0);
  check_rules("tapa", arguments[2], endings, 5);
  WORKS(mahbusa_endings_free(endings));
  return 0;
}
