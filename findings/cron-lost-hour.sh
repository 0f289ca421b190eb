#!/usr/bin/env bash
# Guess: for a daily job at 02:30, the night in which clocks skip from 02:00 to 03:00 is the same to every library: the job
# is moved, to the same time, or left out.
# Seen: croner 11.0.1 runs it at 03:00, when the gap ends; cron-parser 5.10.6 at 03:30, as if the hour had passed;
# node-cron 4.6.0 not at all, and a job of that one day of the year only in a year with another change of clocks. In the
# hour that comes twice, all run it once, at the first. So a program that says which run of another program's job was
# missed is wrong by half an hour, or by a run, unless it computes with the same library.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 croner@11.0.1 cron-parser@5.10.6 node-cron@4.6.0
cat >script.mjs <<'SCRIPT'
import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
import cron from 'node-cron'

// node-cron counts from the present, so the days of the change have a month and a day: 28 March 2027 is one in Berlin.
const timezone = 'Europe/Berlin'
const local = (date) => date.toLocaleString('sv', { timeZone: timezone }).slice(0, 16)
const first = (expression, from) => ({
  croner: local(new Cron(expression, { timezone }).nextRun(new Date(from))),
  'cron-parser': local(CronExpressionParser.parse(expression, { tz: timezone, currentDate: new Date(from) }).next().toDate()),
})
const runs = cron.createTask('30 2 28 3 *', () => {}, { timezone }).getNextRuns(12).map(local)
const seen = {
  ...first('30 2 28 3 *', '2027-03-20T00:00:00Z'),
  // 28 March is the day of a change in 2027 and 2032.
  'node-cron': ['2027', '2031', '2032', '2033'].filter((year) => runs.some((run) => run.startsWith(year))).join(),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "runs of 02:30 on 28 March 2027, and for node-cron the years with a run: $seen"
[ "$seen" = '{"croner":"2027-03-28 03:00","cron-parser":"2027-03-28 03:30","node-cron":"2031,2033"}' ]
