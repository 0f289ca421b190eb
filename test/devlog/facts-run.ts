/**
 * Prints what share of wrong facts the check finds, and how many honest sentences it flags. `--misses` lists
 * both kinds of errors.
 */
import { casesOf, corpusSources, demoSources, type Figures, measure, measureStory } from './stories.ts'

function print(title: string, { lies, honest }: Figures): void {
  process.stdout.write(`${title}\n`)
  let [found, all] = [0, 0]
  for (const [kind, row] of [...lies].sort()) {
    found += row.found
    all += row.all
    process.stdout.write(
      `  wrong ${kind.padEnd(8)} ${row.found} of ${row.all} found (${((row.found / row.all) * 100).toFixed(1)} %)\n`,
    )
    if (process.argv.includes('--misses'))
      for (const text of row.missed) process.stdout.write(`      ${text.slice(0, 300)}\n`)
  }
  if (all > 0)
    process.stdout.write(
      `  all            ${found} of ${all} found (${((found / all) * 100).toFixed(1)} %)\n`,
    )
  process.stdout.write(
    `  honest         ${honest.flagged} of ${honest.all} flagged (${((honest.flagged / honest.all) * 100).toFixed(1)} %)\n`,
  )
  if (process.argv.includes('--misses'))
    for (const text of honest.alarms) process.stdout.write(`      ${text.slice(0, 400)}\n`)
}

const demo = await demoSources()
for (const name of ['english.md', 'other-languages.md'])
  print(`stories about the demo: ${name}`, measureStory(name, demo))
print('sentences of the demo', measure(casesOf(demo, 1), demo))
const corpus = process.env.SCROLLBACK_CORPUS
if (corpus) {
  const sources = corpusSources(corpus, 60)
  print(`sentences of ${sources.length} transcripts of others`, measure(casesOf(sources, 2), sources))
}
