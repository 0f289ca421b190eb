import { clients, identities, joined } from '../src/platforms/identities.ts'
import { fernwoodIdentity } from './third-platform/identity.ts'

/** The platforms of the program. Other tests in the thread may have added the invented one. */
export const programPlatforms = () => identities.filter(({ id }) => id !== fernwoodIdentity.id)

/**
 * A text in which the first platform stands for all, wherever it lists them. Frozen outputs have this form, so
 * that they do not change with the number of platforms.
 */
export function firstPlatform(text: string): string {
  const platforms = programPlatforms()
  const [first, ...others] = platforms
  const setUp = [...clients().keys()]
  const flags = platforms.map(({ dirName }) => `--${dirName}-dir <dir>`)
  const lists: [all: string, one: string][] = [
    ...(['and', 'or'] as const).flatMap((joint): [string, string][] => [
      [
        joined(
          platforms.map(({ name }) => name),
          joint,
        ),
        `${first!.name} ${joint} others`,
      ],
      [joined(flags, joint), `${flags[0]} ${joint} others`],
    ]),
    ...[' ', ', ', '|'].flatMap((between): [string, string][] => [
      [platforms.map(({ id }) => id).join(between), first!.id],
      [setUp.join(between), setUp[0]!],
    ]),
  ]
  let short = lists.reduce((whole, [all, one]) => whole.replaceAll(all, one), text)
  const id = others.map((each) => each.id).join('|')
  // One element of a list in JSON on each line.
  short = short.replace(new RegExp(`("${first!.id}")(?:,\\s+"(?:${id})")+`, 'g'), '$1')
  for (const { name, dirName, folder } of others)
    short = short
      .replace(new RegExp(`^.* -l ${dirName}-dir .*\\n`, 'gm'), '')
      .replaceAll(new RegExp(` '--${dirName}-dir\\[[^\\]]*\\]'`, 'g'), '')
      .replaceAll(new RegExp(`[ |]--${dirName}-dir\\b(?! <)`, 'g'), '')
      .replaceAll(new RegExp(`^.*\\(${name}\\) is missing\\n`, 'gm'), '')
      .replaceAll(new RegExp(`^ +✓ .* \\(${name}\\)\\n`, 'gm'), '')
      .replaceAll(new RegExp(`^ +~/${folder}\\S* \\(missing\\)\\n`, 'gm'), '')
      .replaceAll(new RegExp(`^. ~/${folder}\\S* \\(default\\) is missing\\n`, 'gm'), '')
  return short
}
