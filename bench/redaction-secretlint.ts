/** The rules of secretlint, installed once next to the trees, on the same texts. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isOffline, reusedFolder } from './setup.ts'

const VERSION = '13.0.7'
const PRESET = '@secretlint/secretlint-rule-preset-recommend'

interface Core {
  lintSource(given: object): Promise<{ messages: unknown[] }>
}

interface Profiler {
  secretLintProfiler: { setEnabled(isEnabled: boolean): void }
}

/** Whether it finds anything in a text, or why it is missing. */
export async function secretlint(): Promise<{ finds(text: string): Promise<boolean> } | { missing: string }> {
  const home = reusedFolder('secretlint')
  const modules = join(home, 'node_modules')
  if (!existsSync(join(modules, PRESET))) {
    if (isOffline()) return { missing: 'it is not installed, and `--offline` installs nothing' }
    mkdirSync(home, { recursive: true })
    try {
      const packages = [`@secretlint/core@${VERSION}`, `${PRESET}@${VERSION}`]
      execFileSync('npm', ['install', '--prefix', home, '--silent', ...packages], { stdio: 'pipe' })
    } catch (error) {
      return { missing: `it could not be installed: ${String((error as Error).message).split('\n')[0]}` }
    }
  }
  const load = async (name: string, file = 'index.js'): Promise<unknown> =>
    import(pathToFileURL(join(modules, name, 'module', file)).href)
  const { lintSource } = (await load('@secretlint/core')) as Core
  const { creator } = (await load(PRESET)) as { creator: object }
  const { secretLintProfiler } = (await load('@secretlint/profiler', 'node.js')) as Profiler
  // It would keep a mark for every rule and text.
  secretLintProfiler.setEnabled(false)
  const config = { rules: [{ id: PRESET, rule: creator, options: {} }] }
  return {
    async finds(content) {
      const source = { content, filePath: 'text.txt', ext: '.txt', contentType: 'text' }
      const { messages } = await lintSource({ source, options: { config } })
      return messages.length > 0
    },
  }
}
