/**
 * Fails if the lock file contains a package without an integrity hash, or with an address, which would tie
 * everybody to one registry.
 */
import { readFileSync } from 'node:fs'

interface Locked {
  integrity?: string
  resolved?: string
  link?: boolean
  inBundle?: boolean
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>
}
const faults = Object.entries(packages).flatMap(([path, { integrity, resolved, link, inBundle }]) => {
  const isOurs = !path.startsWith('node_modules/') && !path.includes('/node_modules/')
  if (isOurs || link || inBundle) return []
  return [
    ...(/^sha512-/.test(integrity ?? '') ? [] : [`${path}: no integrity`]),
    ...(resolved === undefined ? [] : [`${path}: an address (${resolved})`]),
  ]
})
if (faults.length > 0) {
  process.stderr.write(
    `package-lock.json does not pin every package:\n  ${faults.join('\n  ')}\n` +
      'Choose versions that exist for every system, then run: npm install --package-lock-only --omit-lockfile-registry-resolved\n',
  )
  process.exitCode = 1
}
