/**
 * Fails unless the tag matches the version in package.json and CHANGELOG.md has a dated section for it.
 * Prints that section: `node scripts/check-release.ts v1.2.3 > notes.md`.
 */
import { readFileSync } from 'node:fs'

const [tag = ''] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const [heading = '', ...lines] = sectionOf(version)
const faults = [
  tag !== `v${version}` && `the tag is "${tag}", and package.json has ${version}`,
  heading === '' && `CHANGELOG.md has no section "## [${version}]"`,
  heading !== '' &&
    !/ - \d{4}-\d\d-\d\d$/.test(heading) &&
    `CHANGELOG.md has no date for ${version}: "${heading}"`,
  heading !== '' && lines.join('').trim() === '' && `CHANGELOG.md says nothing of ${version}`,
].filter((fault) => fault !== false)

if (faults.length > 0) {
  process.stderr.write(`This cannot be released:\n${faults.map((fault) => `  ${fault}\n`).join('')}`)
  process.exitCode = 1
} else process.stdout.write(`${lines.join('\n').trim()}\n`)

/** The heading and the text up to the next heading or to the link definitions at the end. */
function sectionOf(name: string): string[] {
  const all = readFileSync('CHANGELOG.md', 'utf8').split(/\r?\n/)
  const start = all.findIndex((line) => line.startsWith(`## [${name}]`))
  if (start < 0) return []
  const length = all.slice(start + 1).findIndex((line) => /^## |^\[[^\]]+\]: /.test(line))
  return all.slice(start, length < 0 ? undefined : start + 1 + length)
}
