#!/bin/sh
# Gives bbpPairings' recorded answers for the event in docs/organiser.md, with the program's command line and files, for exactly these games.
# Refuses any other games, because the real program might pair them differently.

if [ "$#" -ne 4 ] || [ "$1" != "--dutch" ] || [ "$3" != "-p" ]; then
    echo "Command line argument syntax: $0 --dutch input-file -p output-file" >&2
    exit 3
fi

games=$(tr -d '\r' <"$2" | awk '/^001/ {
    cells = substr($0, 92)
    gsub(/ /, "", cells)
    printf "%s%d:%s", (players++ ? " " : ""), substr($0, 5, 4), cells
}')
case "$games" in
"1: 2: 3: 4: 5: 6: 7:")
    printf '4\n1 4\n5 2\n3 6\n7 0\n' >"$4" ;;
"1:4w1 2:5b= 3:6w1 4:1b0 5:2w= 6:3b0 7: 8:0000-U")
    printf '4\n8 1\n2 3\n4 5\n6 7\n' >"$4" ;;
"1:4w18b= 2:5b=3w1 3:6w12b0 4:1b05w0 5:2w=4b1 6:3b07w1 7:6b0 8:0000-U1w=0000-H")
    printf '4\n1 2\n5 6\n7 3\n4 0\n' >"$4" ;;
*)
    echo "no answer of bbpPairings is recorded for these games: $games" >&2
    exit 3 ;;
esac
