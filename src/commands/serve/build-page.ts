import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PageFiles, Programs, Reports } from '../kit/context.ts'
import { inPackage } from '../kit/package-folder.ts'
import { pageFiles } from './page-files.ts'

const BY_HAND = 'Run: npm ci && npm run build:page. Until then, only the endpoints under /api answer.'

/** A checkout contains the sources of the page. The package contains the built page. Builds it if needed. */
export async function buildPage({ start, started, note }: Programs & Reports): Promise<PageFiles> {
  const files = pageFiles()
  if (files.isBuilt()) return files
  const folder = dirname(inPackage('package.json')!)
  if (!start || !existsSync(join(folder, 'ui'))) {
    note(`The page is not built. ${BY_HAND}`)
    return files
  }
  note('Building the page, which is needed once.')
  const words = [started.executable, '--run', 'build:page']
  const code = await start(words, folder, {}, 'aside')
  const built = pageFiles()
  if (code !== 0 || !built.isBuilt()) note(`The page could not be built. ${BY_HAND}`)
  return built
}
