import { createRequire, isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

const PREFIX = '\0builtin:'
const require = createRequire(import.meta.url)

/**
 * Takes what is imported from a module of Node out of the module itself. An import statement reads all of its
 * exports, and some of them load other modules when they are read: `node:fs` loads promises and `readline`,
 * `node:process` the diagnostic report. Without this, no command could leave them out.
 */
export const builtins: Plugin = {
  name: 'builtins',
  resolveId: {
    filter: { id: /^node:/ },
    handler(source, importer, { kind }) {
      // The code that rolldown itself adds runs before any module.
      const isOfModule = kind === 'import-statement' && importer?.startsWith('\0') === false
      return isOfModule && isBuiltin(source) ? `${PREFIX}${source}` : undefined
    },
  },
  load: {
    filter: { id: new RegExp(`^${PREFIX}`) },
    handler(id) {
      const name = id.slice(PREFIX.length)
      const exported = Object.keys(require(name)).filter((key) => key !== 'default' && /^[\w$]+$/.test(key))
      const code = [
        `const all = /* @__PURE__ */ process.getBuiltinModule('${name}')`,
        `const take = (key) => all[key]`,
        'export default all',
        ...exported.map((key) => `export const ${key} = /* @__PURE__ */ take('${key}')`),
      ].join('\n')
      return { code, moduleSideEffects: false }
    },
  },
}
