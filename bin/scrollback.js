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
    const program = () => load('main', 'cli')
    // A status line is asked for again and again, and a page is served for days: usually, a small part of the
    // program suffices.
    const [name, ...rest] = args
    const code =
      name === 'statusline'
        ? await (await load('statusline', 'statusline')).statusline(rest)
        : name === 'serve'
          ? await (await load('early-page', 'early-page')).serveEarly(rest, program)
          : undefined
    if (code === undefined) {
      const { main, processHost } = await program()
      process.exitCode = await main(args, processHost(), version)
    } else process.exitCode = code
  }
}
