// OpenSpiel's own alpha-beta on Connect Four, which its Python package does not offer: nodes per second of one search.
//
// Usage: openspiel_alphabeta DEPTH. Prints nodes, seconds of processor time and the value. A node is a move that was played.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "open_spiel/algorithms/minimax.h"
#include "open_spiel/games/connect_four/connect_four.h"
#include "open_spiel/spiel.h"

namespace {

long nodes = 0;

// The game's own state, which counts the moves played on it and on its clones.
class CountingState : public open_spiel::connect_four::ConnectFourState {
 public:
  using ConnectFourState::ConnectFourState;
  std::unique_ptr<open_spiel::State> Clone() const override { return std::make_unique<CountingState>(*this); }

 protected:
  void DoApplyAction(open_spiel::Action move) override {
    ++nodes;
    ConnectFourState::DoApplyAction(move);
  }
};

}  // namespace

int main(int count, char** words) {
  const int depth = count > 1 ? std::atoi(words[1]) : 8;
  const std::shared_ptr<const open_spiel::Game> game = open_spiel::LoadGame("connect_four");
  const CountingState root(game);
  const std::clock_t start = std::clock();
  const auto [value, action] = open_spiel::algorithms::AlphaBetaSearch(
      *game, &root, [](const open_spiel::State&) { return 0.0; }, depth, 0, /*use_undo=*/false);
  const double elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%ld %.6f %g\n", nodes, elapsed, value);
}
