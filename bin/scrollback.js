#!/usr/bin/env node
// Plain JavaScript that the oldest Node in use can parse: it has to say what to do there.
const [major] = process.versions.node.split('.')
const args = process.argv.slice(2)

if (Number(major) < 24) {
  process.stderr.write(
    `scrollback needs Node 24 or newer; this is Node ${process.versions.node}.\n` +
      'Install it (https://nodejs.org), or in a checkout of the project use: npm start -- <command>\n',
  )
  process.exitCode = 1
} else {
  // An import of these would cost a third of the time that a version takes to be told.
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const at = (path) => new URL(path, import.meta.url)
  const { version } = JSON.parse(readFileSync(at('../package.json'), 'utf8'))
  if (args.length === 1 && /^(?:--version|-[vV]|version)$/.test(args[0])) {
    process.stdout.write(`${version}\n`)
  } else {
    ;(await import('./compile-cache.js')).enableCompileCache()
    // A checkout runs its sources; the package has none.
    const sources = at('../src/surfaces/cli/main.ts')
    const load = (name, bundled) =>
      import(
        existsSync(sources) ? at(`../src/surfaces/cli/${name}.ts`).href : at(`../dist/${bundled}.js`).href
      )
    // A status line is asked for again and again: all but the rare case is answered by a small part of the program.
    const code =
      args[0] === 'statusline'
        ? await (await load('statusline', 'statusline')).statusline(args.slice(1))
        : undefined
    // The page's address is printed before the program is loaded.
    const early =
      args[0] === 'serve'
        ? await (await load('early-page', 'early-page')).openEarly(args.slice(1))
        : undefined
    process.exitCode = code ?? (await (await load('main', 'cli')).main(args, version, early))
  }
}
