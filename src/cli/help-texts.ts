const CONNECTION = `  --url <address>      the exchange (RAAY_URL, http://127.0.0.1:3000)
  --json               one line of JSON instead of text
`

const EVENT = `raay event: what the operator does with the events of a running exchange.

  raay event create <title>          a new one; --end says when trading ends
  raay event list                    all events; --status open for those of one status
  raay event show <code>             one event
  raay event halt <code>             take no orders for now; those in the book stay
  raay event resume <code>           take orders again
  raay event close <code>            trading is over; what rests in the book is cancelled
  raay event resolve <code> yes|no   tell the outcome of a closed event; its contracts are paid
  raay event void <code>             unwind every trade of an event that is not resolved

${CONNECTION}  --source-url <url>   with resolve and void: where the outcome can be read
  --note <text>        with resolve and void: what there is to say about it

With create
  --end <when>         2026-12-31T18:30:00Z, 2026-12-31T18:30+05:30, 2026-12-31 (midnight UTC), +7d, +1d12h
  --start <when>       likewise (now)
  --description <text> the trading conditions (the title)
  --sot <word>         its kind, such as crypto or sports (other)
  --min-bet <rupees>   what an order costs at least (0)
  --max-bet <rupees>   and at most (100000)
  --quantity <number>  contracts that can be traded in all (100000)
  --payout <rupees>    what a contract of the outcome pays, 1 to 100 (10)
  --tick-size <rupees> 0.01, 0.05, 0.1 or 0.5 (0.01)

RAAY_ADMIN_TOKEN is sent where it is set. An exchange without a token listens to its own machine only.
Doing a thing twice is harmless. Exit codes: 0 done, 1 refused or not reached, 2 wrong use.

Examples
  raay event create "Will it rain in Pune on Sunday?" --end +3d --sot weather
  raay event list --status closed
  raay event close 1000001
  raay event resolve 1000001 yes --source-url https://example.org/result --note "Final at 18:00"
  raay event void 1000002 --note "The match was called off"
  RAAY_ADMIN_TOKEN=... raay event halt 1000001 --url https://raay.example.org
`

const ORDER = `raay order: what a trader does on a running exchange.

  raay order place <code> buy|sell <quantity> [yes|no] @ <price>|market
                                     place an order, wait until it is decided, and say what became of it
  raay order list                    the user's orders, newest first
  raay order show <id>               one order
  raay order cancel <id>             cancel one; again as often as one likes
  raay order cancel --all            cancel all open orders of the user

${CONNECTION}  --user <id>          whose orders they are (RAAY_USER); a new user starts with play money

With place
  --time-in-force <w>  gtc (waits in the book), gtd, ioc (what trades at once), fok (all at once or nothing)
  --expires <when>     when what still waits ends: +1h, 2026-12-31T18:30:00Z
  --valid-until <when> refuse the order where it is decided later than that
  --post-only          refuse the order where it would trade at once
  --reduce-only        refuse the order where it sells more than the user holds
  --self-trade <w>     which order goes where the user would meet themself: taker (as usual), maker, off
  --key <name>         your own name for the order: the same order with the same name counts once

With list            --event <code>, --open or --state <state>, --limit <n> (100)
With cancel --all    --event <code>

The price is that of the outcome named: YES where none is. Who sells what they do not hold buys the other.
Exit codes: 0 done, 1 refused, not reached, or neither traded nor in the book, 2 wrong use.

Examples
  raay order place 1000001 buy 10 @ 6.5 --user asha
  raay order place 1000001 buy 10 no @ 3.5 --user ravi --expires +2h
  raay order place 1000001 sell 4 @ market --user asha
  raay order list --user asha --open
  raay order cancel --all --user asha --event 1000001
`

const USER = `raay user: the users of a running exchange and their money.

  raay user list                     all users with their balances, in the order in which they came
  raay user show <userid>            one user's money and contracts
  raay user credit <userid> <rupees> give play money; a new user is created
  raay user debit <userid> <rupees>  take it back, as far as it is available

${CONNECTION}  --limit <n>          with list: how many at most (1000)
  --txn-id <name>      with credit and debit: your name for the transfer, else a random one, which is printed;
                       a transfer with the same name is done once

All but show are the operator's: RAAY_ADMIN_TOKEN is sent where it is set. An exchange without a token listens
to its own machine only. Exit codes: 0 done, 1 refused or not reached, 2 wrong use.

Examples
  raay user list
  raay user show asha --json
  raay user credit asha 500 --txn-id prize-2026-11-21
`

const BOOK = `raay book: the order book of an event, drawn again as it changes. Ctrl+C ends it.

  raay book <code>       bids to the left, asks to the right, the best on top, YES prices; the last trades

  --once               draw it once; so it is too where the output is no terminal
  --depth <n>          levels a side, 1 to 1000 (as many as there is room for, else 10)
  --user <id>          mark this user's orders with *
  --json               a line of JSON for each state of the book, each trade and each change of the
                       connection; with --once one line
  --url <address>      the exchange (RAAY_URL, http://127.0.0.1:3000)

When the connection is lost it says so, tries again, and misses nothing.
Exit codes: 0 done, 1 refused or not reached, 2 wrong use.

Examples
  raay book 1000001 --user asha
  raay book 1000001 --once --depth 3
  raay book 1000001 --json --depth 1
`

const BENCH = `raay bench: how many orders a second, and how long each waits for its 201. Without --url it
starts an exchange of its own, with its data in a new directory, and leaves nothing behind.

  --orders <n>         how many orders at most, 1 to 1000000 (20000)
  --seconds <n>        for how long at most, 1 to 600 (30)
  --connections <n>    each sends its next order when its last is answered, 1 to 1000 (50)
  --dir <path>         where the new directory is made: the disk that is measured (the system's)
  --url <address>      the exchange that runs there. The load has an event of its own, which is voided in the
                       end; up to 200 users named bench-1, bench-2, ... stay. No variable says this for you
  --remote             --url may be another machine
  --json               one line of JSON instead of text; times in milliseconds

A tenth of the orders, 2000 at most, are sent before the clock runs. Ctrl+C ends it in order.
Exit codes: 0 done, 1 not reached or ended early, 2 wrong use.

Examples
  raay bench
  raay bench --orders 100000 --connections 200 --dir /srv/raay
  raay bench --url http://127.0.0.1:3000 --json
`

/** What `raay help <verb>` says of the verbs whose flags are their own. */
export const HELP_TEXTS: Readonly<Record<string, string>> = {
  event: EVENT,
  order: ORDER,
  user: USER,
  book: BOOK,
  bench: BENCH,
}
