#!/usr/bin/env python3
"""Reads a PGN file with python-chess and prints each game's moves, each with the clocks after it in tenths of a second.

Needs `pip install chess`.
"""
import sys

import chess.pgn


def tenths(seconds):
    return round(seconds * 10)


with open(sys.argv[1], encoding="utf-8") as file:
    while game := chess.pgn.read_game(file):
        assert not game.errors, game.errors
        line = []
        for node in game.mainline():
            text = node.san()
            if node.clock() is not None:
                text += f"/{tenths(node.clock())}/{tenths(node.emt())}"
            line.append(text)
        print(" ".join(line))
