import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Programs, Reports } from '../kit/context.ts'
import { inPackage } from '../kit/package-folder.ts'
import { pageFiles } from './page-files.ts'

const BY_HAND = 'Run: npm ci && npm run build:page. Until then, only the endpoints under /api answer.'

/** A checkout contains the sources of the page. The package contains the built page. Builds it if needed. */
export async function buildPage({ start, started, note }: Programs & Reports): Promise<void> {
  if (pageFiles().isBuilt()) return
  const folder = dirname(inPackage('package.json')!)
  if (!start || !existsSync(join(folder, 'ui'))) return note(`The page is not built. ${BY_HAND}`)
  note('Building the page, which is needed once.')
  const words = [started.executable, '--run', 'build:page']
  if ((await start(words, folder, {}, 'aside')) !== 0 || !pageFiles().isBuilt())
    note(`The page could not be built. ${BY_HAND}`)
}
