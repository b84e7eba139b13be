#!/usr/bin/env python3
"""Prints random positions and games with python-chess's answers, for `cargo run -p laws --example agreement`.

Needs `pip install chess`. The same seed prints the same lines.
"""
import argparse
import random
from collections import Counter

import chess

PIECES = "QRBNPqrbnp"


def by_play(rng):
    """A position of a random game; captures are rarer than in uniform play so that games last."""
    board = chess.Board()
    for _ in range(rng.randrange(160)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


def by_placing(rng):
    """A legal position of two kings and up to eight other men."""
    while True:
        board = chess.Board(None)
        men = "Kk" + "".join(rng.choice(PIECES) for _ in range(rng.randrange(9)))
        squares = rng.sample(range(64), len(men))
        for square, man in zip(squares, men):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board


def position(rng):
    board = by_play(rng) if rng.random() < 0.5 else by_placing(rng)
    flags = ""
    if board.is_checkmate():
        flags += "#"
    if board.is_stalemate():
        flags += "="
    if board.has_insufficient_material(chess.WHITE):
        flags += "w"
    if board.has_insufficient_material(chess.BLACK):
        flags += "b"
    sans = sorted(board.san(move) for move in board.legal_moves)
    ucis = sorted(move.uci() for move in board.legal_moves)
    return "\t".join(["position", board.fen(en_passant="fen"), " ".join(sans), " ".join(ucis), flags or "-"])


def game(rng):
    """A random game whose players often move back and forth, with the counts after every move."""
    board = chess.Board() if rng.random() < 0.5 else by_placing(rng)
    start = board.fen(en_passant="fen")
    # The key that Board.is_repetition compares, as a private method.
    seen = Counter([board._transposition_key()])
    sans, counts, own = [], [], {}
    for _ in range(rng.randrange(10, 220)):
        moves = list(board.legal_moves)
        if not moves:
            break
        last = own.get(board.turn)
        back = last and chess.Move(last.to_square, last.from_square)
        move = back if back in moves and rng.random() < 0.5 else rng.choice(moves)
        own[board.turn] = move
        sans.append(board.san(move))
        board.push(move)
        seen[board._transposition_key()] += 1
        counts.append(f"{board.halfmove_clock}/{seen[board._transposition_key()]}")
    return "\t".join(["game", start, " ".join(sans), " ".join(counts)])


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--positions", type=int, default=100_000)
    arguments.add_argument("--games", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    for _ in range(options.positions):
        print(position(rng))
    for _ in range(options.games):
        print(game(rng))


if __name__ == "__main__":
    main()
