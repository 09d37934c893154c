// libmahbusa: rules, nets and strength levels of the pinning games Mahbusa (Plakoto) and Tapa.
//
// Made out of the sources by cbindgen; do not edit. docs/embedding.md is the way in, docs/c-library.md the guide, this file the reference.
//
//     #include <stdio.h>
//     #include "mahbusa.h"
//
//     static mahbusa_ranked_play plays[MAHBUSA_MAX_PLAYS];
//
//     int main(void) {
//       mahbusa_model *model;
//       mahbusa_position position;
//       char text[MAHBUSA_TEXT_SIZE];
//       size_t count;
//       if (mahbusa_model_open("net.mnet", NULL, &model) != MAHBUSA_OK ||
//           mahbusa_position_parse("mahbusa:O22o:0.0:w:64:0.0.0", &position) != MAHBUSA_OK ||
//           mahbusa_rank(model, 1, &position, plays, MAHBUSA_MAX_PLAYS, &count) != MAHBUSA_OK ||
//           mahbusa_play_print(&plays[0].legal.play, NULL, text, sizeof text, NULL) != MAHBUSA_OK) {
//         fprintf(stderr, "%s\n", mahbusa_last_error());
//         return 1;
//       }
//       printf("%s %+.3f\n", text, plays[0].equity);
//       mahbusa_model_free(model);
//       return 0;
//     }
//
// What holds for all of it:
//
// * Every function that can fail returns MAHBUSA_OK, which is 0, or one of the constants MAHBUSA_ERROR_...; mahbusa_last_error() then says in
//   a sentence what was wrong. Nothing else ever gets out: no exception, no end of the process, nothing on the standard streams unless there is a fault of
//   the library (MAHBUSA_ERROR_INTERNAL), which is told on standard error too.
// * After an error the places for answers hold nothing of use, except that the place for a handle holds null and, after MAHBUSA_ERROR_CAPACITY,
//   `count` says what is needed; for a text `length` does, and room for `length` + 1 is needed, since it does not count the closing 0.
// * Models, levels and endings are handles, to be freed by their own function. They never change, and any number of threads may use one at a time. All
//   else is plain memory of the caller: nothing to be freed, nothing is kept. The message of the last error belongs to its thread.
// * Answers of unknown length go to an array of the caller, who says how many it has room for.
// * Texts are UTF-8 and end with a 0. The two texts that functions return (version, last error) are the library's and never to be freed.
// * What a function writes to must not overlap anything else that it is given. Pointers may be null only where it is said.
// * Points are numbered by the side that moves, from its 24-point, where its checkers start, down to its 1-point, then off, which is 0. A board is
//   always seen by the side in turn; after a play that is the other side.


#ifndef MAHBUSA_H
#define MAHBUSA_H

#include <stddef.h>
#include <stdint.h>

// It worked.
#define MAHBUSA_OK 0

// An argument cannot be: a null pointer, a number out of its range, a text that is not UTF-8, a handle of another sort.
#define MAHBUSA_ERROR_ARGUMENT 1

// A text, a position or a board that is none.
#define MAHBUSA_ERROR_POSITION 2

// A play or a step that is malformed or not legal here, or a position in which nothing can be played: it has no dice, or its game is over.
#define MAHBUSA_ERROR_PLAY 3

// There is too little room for the answer. Nothing has been written but `count`, which is the room that is needed, or `length`, which is one less: a text
// needs room for its closing 0 too.
#define MAHBUSA_ERROR_CAPACITY 4

// A file cannot be read.
#define MAHBUSA_ERROR_IO 5

// A file, or what was given in its stead, is damaged, something else, or of another version.
#define MAHBUSA_ERROR_FILE 6

// Things that do not belong together: a net and a position of other rules, levels and the nets of others.
#define MAHBUSA_ERROR_MISMATCH 7

// A fault of the library; please report it. It is in order otherwise, and so are its handles.
#define MAHBUSA_ERROR_INTERNAL 8

// Raised whenever a program that was compiled with an older header would not work any more; see `mahbusa_abi`.
#define MAHBUSA_ABI 1

// Room for any position or play as a text, its closing 0 included.
#define MAHBUSA_TEXT_SIZE 128

// No position has more legal plays: 15 checkers share the four steps of a double.
#define MAHBUSA_MAX_PLAYS 3060

// No turn has more legal steps at a time: 15 checkers, two dice.
#define MAHBUSA_MAX_STEPS 30

// Strength levels are numbered from 1, the weakest, to this, the net as strong as it is meant to play.
#define MAHBUSA_MAX_LEVEL 6

// A net looks 1 to so many plies ahead.
#define MAHBUSA_MAX_PLY 3

// A roll has a number below this within its game. No game is as long.
#define MAHBUSA_MAX_TURN 100000

// The side of upper-case letters.
#define MAHBUSA_WHITE 0

// The side of lower-case letters.
#define MAHBUSA_BLACK 1

// The game goes on.
#define MAHBUSA_ENDING_NONE 0

// Both starts are pinned: nobody wins.
#define MAHBUSA_ENDING_DRAW 1

// All checkers of one side are off, and some of the other: 1 point.
#define MAHBUSA_ENDING_SINGLE 2

// All checkers of one side are off, and none of the other: 2 points.
#define MAHBUSA_ENDING_MARS 3

// The last checker of a side is trapped on its start, in Mahbusa: 2 points for the other.
#define MAHBUSA_ENDING_MOTHER 4

// A table of the ends of games. Models share it.
typedef struct mahbusa_endings mahbusa_endings;

// Strength levels and their nets. Any number of threads may use one set at a time.
typedef struct mahbusa_levels mahbusa_levels;

// A net. Any number of threads may use one at a time.
typedef struct mahbusa_model mahbusa_model;

// What a function returns: `MAHBUSA_OK`, or one of the errors.
typedef int32_t mahbusa_status;

// A board as one side, "I", sees it: the side to roll or to move. 50 bytes without gaps.
typedef struct {
  // Free checkers on my 1-point, ..., my 24-point: positive mine, negative theirs. All of mine start on my 24-point.
  int8_t points[24];
  // Trapped checkers on the same points: 1 mine, -1 theirs, 0 none.
  int8_t pins[24];
  // Checkers borne off: mine, theirs.
  int8_t off[2];
} mahbusa_board;

// A position: a board, whose turn it is, the dice, the rules and the match. Begin with `mahbusa_position_start` or `mahbusa_position_parse`;
// you may change any field. Whatever gets a position checks it.
typedef struct {
  // The board as the side in turn sees it.
  mahbusa_board board;
  // The side in turn, to roll or to move: `MAHBUSA_WHITE` or `MAHBUSA_BLACK`.
  uint8_t turn;
  // The dice to be played, in any order, or 0 and 0 when they are still to be rolled.
  uint8_t dice[2];
  // 1 in Mahbusa (Plakoto), where pinning the mother wins; 0 in Tapa.
  uint8_t mother;
  // Checkers a side, 15 in the usual game.
  uint8_t checkers;
  // Points of White, points of Black, length of the match; all 0 in a single game.
  uint16_t score[3];
} mahbusa_position;

// What a match has come to after a game.
typedef struct {
  // Points of White, points of Black, length; points beyond the length do not count.
  uint16_t score[3];
  // 1 if the match is decided, else 0. A single game always is.
  uint8_t over;
  // The side that has won the match, or in a single game the game; 255 when nobody has.
  uint8_t winner;
  // The side that begins the next game, rolling both dice; 255 when it is to be rolled for, or there is none.
  uint8_t opener;
} mahbusa_match;

// One checker moved by one die, in the numbers of the side that moves.
typedef struct {
  // The point left, 1 to 24.
  uint8_t from;
  // The point reached, 1 to 23; 0 is off the board.
  uint8_t to;
} mahbusa_step;

// All steps of a turn, or the first ones; none at all is a pass.
typedef struct {
  // How many there are, 0 to 4.
  uint8_t count;
  // They, in the order in which they are taken; the rest is not looked at.
  mahbusa_step steps[4];
} mahbusa_play;

// A legal play and what it leads to.
typedef struct {
  // The play, as it is written.
  mahbusa_play play;
  // The position after it: the other side is in turn, and sees the board; no dice; the score of the match as before.
  mahbusa_position after;
  // Whether and how it has ended the game, one of the constants `MAHBUSA_ENDING_...`.
  uint8_t ending;
  // The points that it has won for the side that played, 0 to 2.
  uint8_t points;
} mahbusa_legal_play;

// A step that may be taken now.
typedef struct {
  // The step.
  mahbusa_step step;
  // The die that it uses.
  uint8_t die;
  // 1 if it traps an enemy checker, else 0.
  uint8_t pins;
  // Whether and how it ends the game, one of the constants `MAHBUSA_ENDING_...`.
  uint8_t ending;
} mahbusa_legal_step;

// A turn of which some steps are taken: what a board with drag and drop needs to know.
typedef struct {
  // The board as it stands after these steps, seen by the side that moves.
  mahbusa_board board;
  // 1 if the turn may be ended now, and then there are no more legal steps; else 0.
  uint8_t complete;
  // Whether and how the steps have ended the game, one of the constants `MAHBUSA_ENDING_...`.
  uint8_t ending;
  // The dice that are not used yet, the higher first, then zeros. Some may stay unused.
  uint8_t dice_left[4];
  // How many steps may be taken now, 0 to `MAHBUSA_MAX_STEPS`.
  uint8_t count;
  // They: the ones from the highest point first, and of these the ones to the lowest.
  mahbusa_legal_step steps[MAHBUSA_MAX_STEPS];
} mahbusa_turn;

// What a net is.
typedef struct {
  // Self-play games that it was trained on.
  uint64_t games;
  // Units of its first hidden layer.
  uint32_t hidden;
  // Units of its second hidden layer, 0 without one.
  uint32_t second;
  // The rules that it was trained on, as in a position; it is refused for others.
  uint8_t mother;
  // The checkers a side that it was trained on.
  uint8_t checkers;
  // The SHA-256 of its file in 64 hexadecimal digits and a closing 0: equal for equal nets.
  char hash[65];
} mahbusa_model_info;

// A legal play and what a net thinks of it, for the side that plays.
typedef struct {
  // The play.
  mahbusa_legal_play legal;
  // The probabilities to lose 2, lose 1, draw, win 1, win 2.
  float outcomes[5];
  // The expected points, -2 to 2.
  float equity;
  // In a match the chance to win it, 0 to 1; in a single game -1.
  float match_chance;
  // How many plies deep the play was looked at. Less than was asked for where it seemed hopeless.
  uint8_t ply;
} mahbusa_ranked_play;

// What a strength level is.
typedef struct {
  // How much it doubts what it sees, in points of the game.
  double noise;
  // How much worse than the best play, as it sees it, a play may be that it takes, in points of the game.
  double cap;
  // What its plays lose on average, in thousandths of a point a decision.
  double loss;
  // The share of games that it wins against the level below; -1 for the weakest.
  double win_rate;
  // Its number, 1 to `MAHBUSA_MAX_LEVEL`.
  uint8_t level;
  // How many plies it looks ahead, 1 to `MAHBUSA_MAX_PLY`.
  uint8_t ply;
  // 1 if it asks the small net, else 0.
  uint8_t small;
  // What people call it, in small English letters, with a closing 0; cut if it is longer.
  char name[32];
} mahbusa_level_info;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as "0.1.0"; never to be freed.
const char *mahbusa_version(void);

// The `MAHBUSA_ABI` that the library was built with. If it is not that of your header, do not call anything else.
uint32_t mahbusa_abi(void);

// What went wrong in the last call on this thread that returned an error, as a sentence in English: what, where, what was expected. Empty if none did.
//
// It is the library's, and is valid until the next call on this thread that returns an error: copy it if you keep it.
const char *mahbusa_last_error(void);

// The start of a single game, White to roll.
//
// `rules` is "mahbusa", "plakoto" (the same) or "tapa", perhaps with options such as "tapa,checkers=3".
// Errors: `MAHBUSA_ERROR_ARGUMENT`, `MAHBUSA_ERROR_POSITION`.
mahbusa_status mahbusa_position_start(const char *rules, mahbusa_position *position);

// Reads a position out of its notation, such as "mahbusa:O22o:0.0:w:64:0.0.0".
//
// Errors: `MAHBUSA_ERROR_POSITION`, whose message names the field, the column and what was expected there; `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_position_parse(const char *text,
                                      mahbusa_position *position);

// Writes the notation of a position and a closing 0 to `text`, which has room for `capacity` bytes: `MAHBUSA_TEXT_SIZE` is always enough.
//
// `length`, if it is not null, gets the length without the closing 0, also where there is too little room.
// Errors: `MAHBUSA_ERROR_POSITION`, if it is none; `MAHBUSA_ERROR_CAPACITY`; `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_position_print(const mahbusa_position *position,
                                      char *text,
                                      size_t capacity,
                                      size_t *length);

// Whether and how the game of a position is over.
//
// `ending` gets one of the constants `MAHBUSA_ENDING_...`; `points`, if it is not null, the points, 0 to 2, that the side has won that played last,
// which is not the side in turn.
// Errors: `MAHBUSA_ERROR_POSITION`, `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_position_ending(const mahbusa_position *position,
                                       uint8_t *ending,
                                       uint8_t *points);

// The same board seen by the other side; both pointers may be equal. The board is not checked.
//
// Errors: `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_board_flip(const mahbusa_board *board, mahbusa_board *flipped);

// What a match has come to after the game of a position, which must be over: the score, who has won, who begins the next game.
//
// Errors: `MAHBUSA_ERROR_PLAY`, if the game goes on; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_match_after(const mahbusa_position *position,
                                   mahbusa_match *result);

// All legal plays of a position with dice: each result once, in the order of the notation. There is always one; in a turn that must be passed it
// is the play of no steps.
//
// `plays` has room for `capacity` of them; `count` gets how many there are. `MAHBUSA_MAX_PLAYS` is always enough; to ask for the number first,
// call with `capacity` 0, which returns `MAHBUSA_ERROR_CAPACITY`.
// Errors: `MAHBUSA_ERROR_PLAY`, without dice or after the end; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_CAPACITY`; `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_legal_plays(const mahbusa_position *position,
                                   mahbusa_legal_play *plays,
                                   size_t capacity,
                                   size_t *count);

// The legal play with these steps, in whatever legal order they stand: what it leads to, and how it is written.
//
// Errors: `MAHBUSA_ERROR_PLAY`, if there is none; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_find_play(const mahbusa_position *position, const mahbusa_play *steps, mahbusa_legal_play *play);

// What may be done next in a turn of which some steps are taken, in the order in which they were: the legal single steps, and whether the turn may be
// ended. For boards with drag and drop; to take a step back, ask with one less.
//
// `taken` may be null when nothing is taken yet. A step is legal when some legal play goes on with it.
// Errors: `MAHBUSA_ERROR_PLAY`, if a step that was taken is not legal; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_legal_steps(const mahbusa_position *position,
                                   const mahbusa_play *taken,
                                   mahbusa_turn *turn);

// Reads a play, such as "24/20 20/18", "6/off(2)" or, when it is passed, "-". Whether it is legal somewhere is not looked at.
//
// Errors: `MAHBUSA_ERROR_PLAY`, `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_play_parse(const char *text,
                                  mahbusa_play *play);

// Writes a play, every step of it, such as "24/20 20/18", and a closing 0 to `text`, which has room for `capacity` bytes: `MAHBUSA_TEXT_SIZE` is
// always enough. `length`, if it is not null, gets the length without the closing 0, also where there is too little room.
//
// With a position, in which the play must be legal, it is written for people: equal steps counted and pins marked, "24/20~(2) 20/16(2)".
// `position` may be null.
// Errors: `MAHBUSA_ERROR_PLAY`, `MAHBUSA_ERROR_POSITION`, `MAHBUSA_ERROR_CAPACITY`, `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_play_print(const mahbusa_play *play,
                                  const mahbusa_position *position,
                                  char *text,
                                  size_t capacity,
                                  size_t *length);

// The dice of one turn, the higher first, out of a seed, the number of the game and the number of the turn in it, from 0: always and everywhere the
// same, so that a game can be replayed. Turns that are passed count.
//
// `turn` is below `MAHBUSA_MAX_TURN`; `dice` is room for two.
// Errors: `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_roll(uint64_t seed,
                            uint64_t game,
                            uint32_t turn,
                            uint8_t *dice);

// Who begins a game, by one die each, out of a seed and the number of the game; ties are thrown again. Whoever begins then rolls both dice: turn 0.
//
// `dice`, if it is not null, is room for two: White's die and Black's of the throw that decided. `side` gets `MAHBUSA_WHITE` or `MAHBUSA_BLACK`.
// Errors: `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_opening(uint64_t seed,
                               uint64_t game,
                               uint8_t *dice,
                               uint8_t *side);

// Gets the table of the ends of games, for models that are to know them exactly as `mahbusa analyze` does: positions in which both sides are home
// and nobody is trapped. Without it a model asks its net there too, which is nearly as good.
//
// The table takes 40 MB of memory. It is read out of the folder `folder`, in a tenth of a second, or, if it is not there, built, in about four
// seconds of one processor, and kept there. If `folder` is null it is built and not kept.
// Errors: `MAHBUSA_ERROR_ARGUMENT`. That it could not be kept is none.
mahbusa_status mahbusa_endings_open(const char *folder,
                                    mahbusa_endings **endings);

// Frees the table; null is nothing. Models that were opened with it go on using it.
//
// Errors: `MAHBUSA_ERROR_ARGUMENT`, if it is a handle of another sort.
mahbusa_status mahbusa_endings_free(mahbusa_endings *endings);

// Opens a net: the `.mnet` file at `path`, or `net.mnet` in the folder there. `endings` may be null.
//
// Free the model with `mahbusa_model_free`. On an error `model` gets null.
// Errors: `MAHBUSA_ERROR_IO`, `MAHBUSA_ERROR_FILE`, `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_model_open(const char *path, const mahbusa_endings *endings, mahbusa_model **model);

// Opens a net out of the bytes of its file, which are not needed afterwards: for programs that carry it within. `endings` may be null.
//
// Free the model with `mahbusa_model_free`. On an error `model` gets null.
// Errors: `MAHBUSA_ERROR_FILE`, `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_model_from_bytes(const uint8_t *bytes,
                                        size_t length,
                                        const mahbusa_endings *endings,
                                        mahbusa_model **model);

// Frees a model; null is nothing. No thread may be using it. Levels that were opened with it go on using it.
//
// Errors: `MAHBUSA_ERROR_ARGUMENT`, if it is a handle of another sort.
mahbusa_status mahbusa_model_free(mahbusa_model *model);

// Says what a net is.
//
// Errors: `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_model_describe(const mahbusa_model *model, mahbusa_model_info *info);

// What boards are worth to the side that is to roll, and sees them; by the rules of the model, in points. Many at once are faster than one at a time.
//
// `ply` is 1 to `MAHBUSA_MAX_PLY`; 1 is the opinion of the net. `boards` are `count`. `outcomes`, if it is not null, is room for 5 times `count`
// numbers, which are, board by board, the probabilities to lose 2, lose 1, draw, win 1 and win 2; `equities`, if it is not null, room for `count`
// numbers, the expected points. For the side that has made a play, the board after which it is, exchange the outcomes end for end, and negate the
// equity. A board whose game is over has the outcome that is certain.
// Errors: `MAHBUSA_ERROR_POSITION`, whose message names the board, counted from 0; `MAHBUSA_ERROR_ARGUMENT`. What was written then is of no use.
mahbusa_status mahbusa_evaluate(const mahbusa_model *model,
                                uint32_t ply,
                                const mahbusa_board *boards,
                                size_t count,
                                float *outcomes,
                                float *equities);

// The legal plays of a position with dice, ranked by a net, the best first.
//
// `ply` is 1 to `MAHBUSA_MAX_PLY`: how deep the net looks. With a small net that takes about 0.01, 0.5 and 40 milliseconds. In a match, which the position
// says, plays are ranked by the chance to win it; set its `score` to 0, 0, 0 to rank them by points.
// `plays` has room for `capacity`; `count` gets how many there are; see `mahbusa_legal_plays`.
// Errors: `MAHBUSA_ERROR_MISMATCH`, if the net was not trained on these rules; `MAHBUSA_ERROR_PLAY`, without dice or after the end;
// `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_CAPACITY`, before any time is spent on ranking; `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_rank(const mahbusa_model *model,
                            uint32_t ply,
                            const mahbusa_position *position,
                            mahbusa_ranked_play *plays,
                            size_t capacity,
                            size_t *count);

// The chance to win the match of a position, for the side in turn, if the game ends with these probabilities: to lose 2, lose 1, draw, win 1, win 2.
//
// `outcomes` are five numbers, 0 to 1, whose sum is 1, to a thousandth. The model says what is to be expected of the games that may follow.
// Errors: `MAHBUSA_ERROR_PLAY`, in a single game; `MAHBUSA_ERROR_MISMATCH`; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_match_chance(const mahbusa_model *model,
                                    const mahbusa_position *position,
                                    const float *outcomes,
                                    float *chance);

// Opens the strength levels of a net: the file at `path`, or `levels.json` in the folder there.
//
// `full` is the net that they belong to, `small` the small one, which the weaker levels ask; without it, if it is null, those cannot play. The levels
// keep both: you may free the models. Free the levels with `mahbusa_levels_free`. On an error `levels` gets null.
// Errors: `MAHBUSA_ERROR_MISMATCH`, if they are the levels of other nets; `MAHBUSA_ERROR_IO`, `MAHBUSA_ERROR_FILE`, `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_levels_open(const char *path,
                                   const mahbusa_model *full,
                                   const mahbusa_model *small,
                                   mahbusa_levels **levels);

// The same out of the text of the file, `length` bytes of UTF-8, which are not needed afterwards and need no closing 0.
//
// Errors: as for `mahbusa_levels_open`.
mahbusa_status mahbusa_levels_from_json(const char *json,
                                        size_t length,
                                        const mahbusa_model *full,
                                        const mahbusa_model *small,
                                        mahbusa_levels **levels);

// Frees levels; null is nothing. No thread may be using them.
//
// Errors: `MAHBUSA_ERROR_ARGUMENT`, if it is a handle of another sort.
mahbusa_status mahbusa_levels_free(mahbusa_levels *levels);

// Says what a level is, 1 to `MAHBUSA_MAX_LEVEL`: its name for a menu, how strong it is.
//
// Errors: `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_level_describe(const mahbusa_levels *levels, uint32_t level, mahbusa_level_info *info);

// The play that a level takes, 1 to `MAHBUSA_MAX_LEVEL`: what a computer opponent plays.
//
// The same seed, position and dice give the same play, everywhere. Take a seed for each game, such as its number, so that games differ.
// Errors: `MAHBUSA_ERROR_MISMATCH`, for other rules, or for a level that asks the small net, which was not given; `MAHBUSA_ERROR_PLAY`, without dice or
// after the end; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
mahbusa_status mahbusa_choose(const mahbusa_levels *levels,
                              uint32_t level,
                              uint64_t seed,
                              const mahbusa_position *position,
                              mahbusa_legal_play *play);

// The legal plays of a position with dice as a level sees them, the best first, as `mahbusa_rank` gives them; and which of them it takes: `chosen`
// gets its place in the list, from 0.
//
// Errors: as for `mahbusa_choose`, and `MAHBUSA_ERROR_CAPACITY`.
mahbusa_status mahbusa_rank_at_level(const mahbusa_levels *levels,
                                     uint32_t level,
                                     uint64_t seed,
                                     const mahbusa_position *position,
                                     mahbusa_ranked_play *plays,
                                     size_t capacity,
                                     size_t *count,
                                     size_t *chosen);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MAHBUSA_H */
