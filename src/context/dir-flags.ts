import { identities } from '../platforms/identities.ts'

/** A flag that names folders of a platform: `--claude-dir`. */
interface DirFlag {
  name: string
  /** The input field that holds its values: `claudeDir`. */
  field: string
  /** The library option: `claudeDirs`. */
  option: string
  platform: string
  /** The name of the platform: `Claude Code`. */
  title: string
  /** The default folder: `~/.claude`. */
  example: string
}

export const dirFlags: readonly DirFlag[] = identities.map(({ id, name, dirName, folder }) => ({
  name: `--${dirName}-dir`,
  field: `${dirName}Dir`,
  option: `${dirName}Dirs`,
  platform: id,
  title: name,
  example: `~/${folder}`,
}))

/** Folders by platform, as the user gave them. */
export type GivenDirs = Record<string, string[]>
