import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

/** The protocol brings a checker of schemas for what a server asks of its client; ours asks nothing, and gives it another. */
export const unchecked: Plugin = {
  name: 'unchecked',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: 'unchecked' }))
    onLoad({ filter: /./, namespace: 'unchecked' }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }))
  },
}

/** `const XSchema = …;` up to the next thing that stands at the beginning of a line. */
const SCHEMA = /^((?:export )?const \w+Schema) = ([\s\S]*?);\n(?=export|const|class|\/[/*]|$)/gm

/** Stands for a schema, which is made when somebody looks into it. */
const LATER = `function later(make) {
  let made
  const it = () => (made ??= make())
  return new Proxy({}, {
    get: (_, name) => it()[name],
    set: (_, name, value) => Reflect.set(it(), name, value),
    has: (_, name) => name in it(),
    getPrototypeOf: () => Object.getPrototypeOf(it()),
  })
}`

/**
 * The protocol describes all that can be said in it, a hundred and sixty schemas; of these a server that greets and lists its tools needs
 * a few. To make all of them takes as long as half of starting Node.
 */
export const madeLater: Plugin = {
  name: 'made-later',
  setup({ onLoad }) {
    onLoad({ filter: /\/sdk\/dist\/esm\/types\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8').replace(SCHEMA, '$1 = /* @__PURE__ */ later(() => $2);\n')}\n${LATER}`,
    }))
  },
}
