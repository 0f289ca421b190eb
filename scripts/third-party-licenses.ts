/**
 * Writes THIRD-PARTY-LICENSES.md: name, version and license of each bundled package, and every license text
 * once. Fails on a license that nobody has reviewed. Prints to standard output with `--print`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { build, type Rolldown } from 'vite'
import { bundle } from './bundle.ts'

interface Package {
  name: string
  version: string
  license: string
  /** The text of the license and of its notices. */
  text: string
}

/** Licenses that only require their text to be passed on. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
])

const FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** The configuration that builds the page, from the current directory. */
const PAGE = 'ui/vite.config.ts'

/** The folders of packages that contribute to the page. */
async function pageFolders(): Promise<string[]> {
  if (!existsSync(PAGE)) return []
  const built = (await build({ configFile: PAGE, build: { write: false } })) as Rolldown.RolldownOutput
  return built.output
    .flatMap((file) => (file.type === 'chunk' ? Object.entries(file.modules) : []))
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .flatMap(([path]) => FOLDER.exec(path)?.[1] ?? [])
}

/** The folders of packages that contribute to the bundles. */
async function bundledFolders(): Promise<string[]> {
  const folders = new Set<string>(await pageFolders())
  for (const { modules } of await bundle(false))
    for (const path of modules) {
      const folder = FOLDER.exec(path)?.[1]
      if (folder !== undefined) folders.add(folder)
    }
  return [...new Set([...folders].map((folder) => relative(process.cwd(), resolve(folder))))]
}

/** The text for packages that forget their file: what its sources name, and the holder that they name. */
const WITHOUT_FILE: Readonly<Record<string, string>> = {
  'yoga-layout': mit('Copyright (c) Meta Platforms, Inc. and affiliates.'),
}

function mit(holder: string): string {
  return `MIT License

${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`
}

function packageIn(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  const missing = WITHOUT_FILE[name]
  if (texts.length === 0 && missing !== undefined) texts.push(missing)
  if (texts.length === 0) throw new Error(`${name} ${version} has no licence file`)
  const lines = texts.join('\n\n').split(/\r?\n/)
  return {
    name,
    version,
    license,
    text: lines
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/^\n+|\n+$/g, ''),
  }
}

/** A line that says who has the rights. Texts that are alike but for these stand once, below each of them. */
const NOTICE = /^[ \t]*(?:copyright (?=\(c\)|©|\d)|\(c\) |© ).*$/gim

const noticesIn = (text: string): string[] => (text.match(NOTICE) ?? []).map((line) => line.trim())

const withoutNotices = (text: string): string =>
  text
    .replace(NOTICE, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Also alike are texts with another title. */
const wordsOf = (text: string): string =>
  withoutNotices(text)
    .replace(/^\W*(?:the )?mit licen[cs]e(?: \(mit\))?\W*/i, '')
    .replace(/\s+/g, ' ')

function document(packages: readonly Package[]): string {
  const rows = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)
  const texts = Map.groupBy(packages, ({ text }) => wordsOf(text))
  const sections = Array.from(texts.values(), (its) => {
    const names = its.map(({ name }) => name).join(', ')
    const notices = [...new Set(its.flatMap(({ text }) => noticesIn(text)))]
    const text = [...notices, ...(notices.length > 0 ? [''] : []), withoutNotices(its[0]!.text)].join('\n')
    return `## ${names}\n\n\`\`\`\`text\n${text}\n\`\`\`\`\n`
  })
  return `# Licences of what is bundled

Scrollback itself is under the MIT licence (LICENSE). The files in \`dist/\` also hold code of these packages.
\`npm run licenses\` writes this list from the bundle.

| package | version | licence |
|---|---|---|
${rows.join('\n')}

${sections.join('\n')}`
}

const packages = (await bundledFolders())
  .map(packageIn)
  .sort((one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1))
const others = packages.filter(({ license }) => !ALLOWED.has(license))
if (others.length > 0) {
  const names = others.map(({ name, license }) => `  ${name}: ${license}\n`)
  process.stderr.write(`Licences to look at before their packages may be bundled:\n${names.join('')}`)
  process.exitCode = 1
} else if (process.argv.includes('--print')) process.stdout.write(document(packages))
else writeFileSync('THIRD-PARTY-LICENSES.md', document(packages))
