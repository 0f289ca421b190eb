#!/usr/bin/env bash
# Guess: `0 9 13 * 5` means for every library what crontab(5) says: at nine on each 13th and on each Friday.
# Seen with node-cron 4.6.0: only on a Friday the 13th, so that a job runs one to three times a year instead of five
# times a month. croner 11.0.1 and cron-parser 5.10.6 run it on both kinds of days, and cronstrue 3.39.0 describes it as
# "on day 13 of the month, and on Friday", which fits both. With `*/2` as the day, crontab(5) wants both, because it
# takes a field with a star for unrestricted, but croner and cron-parser take either. Who lists the next runs of another
# program's jobs has to know which library that program uses; OpenClaw uses croner.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 croner@11.0.1 cron-parser@5.10.6 node-cron@4.6.0 cronstrue@3.39.0
cat >script.mjs <<'SCRIPT'
import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
import cronstrue from 'cronstrue'
import cron from 'node-cron'

const from = new Date('2026-11-01T00:00:00Z')
// Whether the next 20 runs are all on a Friday that is also one of the days.
function takes(expression, isDay) {
  const runs = {
    croner: new Cron(expression, { timezone: 'UTC' }).nextRuns(20, from),
    'cron-parser': CronExpressionParser.parse(expression, { tz: 'UTC', currentDate: from }).take(20),
    'node-cron': cron.createTask(expression, () => {}, { timezone: 'UTC' }).getNextRuns(20),
  }
  const isBoth = (date) => date.getUTCDay() === 5 && isDay(date.getUTCDate())
  return Object.fromEntries(Object.entries(runs).map(([name, dates]) => [name, dates.every(isBoth) ? 'both' : 'either']))
}
const seen = {
  '0 9 13 * 5': takes('0 9 13 * 5', (day) => day === 13),
  '0 9 */2 * 5': takes('0 9 */2 * 5', (day) => day % 2 === 1),
  words: cronstrue.toString('0 9 13 * 5'),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "whether a run needs both days or either: $seen"
either='"croner":"either","cron-parser":"either","node-cron":"both"'
[ "$seen" = "{\"0 9 13 * 5\":{$either},\"0 9 */2 * 5\":{$either},\"words\":\"At 09:00 AM, on day 13 of the month, and on Friday\"}" ]
