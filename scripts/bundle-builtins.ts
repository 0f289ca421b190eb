import { createRequire, isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

const PREFIX = '\0builtin:'
/** What precedes the name of a module that reads one property of a module of Node. */
export const PROPERTY = '\0property:'
const require = createRequire(import.meta.url)

/**
 * Takes what is imported from a module of Node out of the module itself. An import statement reads all of its
 * exports, and some of them load other modules when they are read: `node:fs` loads promises and `readline`,
 * `node:process` the diagnostic report. Without this, no command could leave them out.
 */
export const builtins: Plugin = {
  name: 'builtins',
  resolveId: {
    filter: { id: new RegExp(`^(?:node:|${PROPERTY})`) },
    handler(source, importer, { kind }) {
      if (source.startsWith(PROPERTY)) return source
      // The code that rolldown itself adds runs before any module.
      const isOfModule = kind === 'import-statement' && importer?.startsWith('\0') === false
      return isOfModule && isBuiltin(source) ? `${PREFIX}${source}` : undefined
    },
  },
  load: {
    filter: { id: new RegExp(`^(?:${PREFIX}|${PROPERTY})`) },
    handler(id) {
      if (id.startsWith(PROPERTY)) return { code: codeOfProperty(id), moduleSideEffects: false }
      const name = id.slice(PREFIX.length)
      const exported = Object.keys(require(name)).filter((key) => key !== 'default' && /^[\w$]+$/.test(key))
      const code = [
        `const all = /* @__PURE__ */ process.getBuiltinModule('${name}')`,
        `const take = (key) => all[key]`,
        'export default all',
        ...exported.map((key) =>
          isComputed(name, key)
            ? `export { ${key} } from ${JSON.stringify(`${PROPERTY}${name}:${key}`)}`
            : `export const ${key} = /* @__PURE__ */ take('${key}')`,
        ),
      ].join('\n')
      return { code, moduleSideEffects: false }
    },
  },
}

/** Whether reading a property runs code: `process.stdin`, for example, opens a stream. */
const isComputed = (name: string, key: string): boolean =>
  Object.getOwnPropertyDescriptor(require(name), key)?.get !== undefined

/** A module of its own, so that only the file that needs the property reads it. */
function codeOfProperty(id: string): string {
  const [, name, key] = /:(.*):(.*)$/.exec(id)!
  return `export const ${key} = /* @__PURE__ */ process.getBuiltinModule('${name}').${key}`
}
