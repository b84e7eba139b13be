#!/bin/sh
# A stand-in for a Swiss pairing program: it has the command line and the files of bbpPairings, but not its pairing rules. Each player in the next
# round meets the first player in the list not met before; a player left over gets the bye. The event's name (record 012) selects a fault.

if [ "$#" -ne 4 ] || [ "$1" != "--dutch" ] || [ "$3" != "-p" ]; then
    echo "Command line argument syntax: $0 --dutch input-file -p output-file" >&2
    exit 3
fi

case "$(sed -n 's/^012 \([^\r]*\).*/\1/p' "$2" | tr -d '\r')" in
"No pairing exists") echo "Error while pairing $(basename "$2"): No valid pairing exists" >&2; exit 1 ;;
"Falls over") kill -SEGV $$ ;;
"Never ends") echo "still thinking" >&2; sleep 600 & wait ;;
"Talks nonsense") echo "Hello" >"$4"; exit 0 ;;
"Says nothing") exit 0 ;;
"Shows its surroundings")
    env | sed 's/=.*//' | tr '\n' ' ' >&2
    for open in /proc/$$/fd/*; do readlink "$open"; done | tr '\n' ' ' >&2
    exit 1 ;;
"Starts others") sleep 600 & echo "started $!" >&2; wait ;;
"Answers by a pipe") mkfifo "$4"; exit 0 ;;
"Answers by a link") ln -s "$2" "$4"; exit 0 ;;
"Answers at length") head -c 2000000 /dev/zero | tr '\0' '1' >"$4"; exit 0 ;;
"Never stops writing") exec cat /dev/zero >"$4" ;;
"Controls the terminal") printf 'one\033[2J\ntwo\r\n' >&2; exit 2 ;;
"Forgets one") printf '1\n1 2\n' >"$4"; exit 0 ;;
esac

# Refuses files that the real programs cannot read.
tr -d '\r' <"$2" | awk '
    /^(013|310)/ { print "team tournaments are not supported"; exit 3 }
    /^192/ && !/^192 FIDE_(DUTCH_2025|DUTCH|BURSTEIN)(_BAKU)?$/ { print "unsupported tournament type"; exit 3 }
    /^142/ { rounds = $2 }
    /^001/ {
        numbers[substr($0, 5, 4) + 0] = 1
        if (substr($0, 5, 4) + 0 > highest) highest = substr($0, 5, 4) + 0
        for (round = 1; round <= rounds; round++) {
            cell = substr($0, 92 + 10 * (round - 1), 8)
            if (substr(cell, 1, 4) + 0 > 0 && round > last) last = round
            if (cell ~ /[^ ]/ && round > farthest) farthest = round
        }
    }
    END {
        for (no = 1; no <= highest; no++)
            if (!(no in numbers)) { print "A pairing number is missing."; exit 3 }
        if (farthest > last + 1) { print "The score does not match the game results."; exit 3 }
    }' >&2 || exit 3

tr -d '\r' <"$2" | awk '
    function cell(line, round) { return substr(line, 92 + 10 * (round - 1), 8) }
    function opponent(line, round) { return substr(line, 92 + 10 * (round - 1), 4) + 0 }
    /^XXR/ { announced = $2 }
    /^001/ {
        no = substr($0, 5, 4) + 0
        order[++players] = no
        line[no] = $0
        for (round = 1; round <= announced + 50; round++)
            if (opponent($0, round) > 0) {
                met[no, opponent($0, round)] = 1
                if (round > last) last = round
            }
    }
    END {
        for (at = 1; at <= players; at++) {
            no = order[at]
            if (cell(line[no], last + 1) ~ /[^ ]/) done[no] = 1
        }
        for (at = 1; at <= players; at++) {
            no = order[at]
            if (no in done) continue
            found = 0
            for (next_at = at + 1; next_at <= players && !found; next_at++) {
                other = order[next_at]
                if (!(other in done) && !((no, other) in met)) found = other
            }
            done[no] = 1
            if (found) done[found] = 1
            pairs[++count] = (found && (last + at) % 2) ? found " " no : no " " found
        }
        print count
        for (pair = 1; pair <= count; pair++) print pairs[pair]
    }' >"$4"
