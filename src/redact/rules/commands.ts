import { isGivenPassword } from '../password-judge.ts'
import type { Rule } from '../rule.ts'

/** The options of one command. Quoted text may contain anything. */
const options = String.raw`(?:[^\r\n|;&"'\x60\\]|\\{0,16}"[^"\r\n\\]{0,120}\\{0,16}"|'[^'\r\n\\]{0,120}'){0,200}?`
const value = String.raw`\\{0,16}["']?([^\s"'\x60\\;&|<>()]{4,128})(?=[\s"'\\;&|]|$)`

/** A rule for an option that takes a password. */
function optionRule(program: string, triggers: string[], option: string): Rule {
  return {
    kind: 'password',
    triggers,
    pattern: new RegExp(`(?<![A-Za-z0-9_-])${program}${options} ${option}${value}`, 'y'),
    judge: isGivenPassword,
  }
}

/** Passwords on command lines. */
export const commands: readonly Rule[] = [
  optionRule('sshpass', ['sshpass'], '-p ?'),
  optionRule(
    '(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)',
    ['mysql', 'mariadb'],
    '(?:-p|--password=)',
  ),
  optionRule('redis-cli', ['redis-cli'], '(?:-a|--pass) '),
  optionRule('mongo(?:sh|dump|restore|export|import)?', ['mongo'], '(?:-p|--password) '),
  optionRule(
    '(?:docker|podman|helm registry|buildah|nerdctl) login',
    ['docker', 'podman', 'helm', 'buildah', 'nerdctl'],
    '(?:-p|--password) ',
  ),
  optionRule('(?:plink|pscp|psftp)', ['plink', 'pscp', 'psftp'], '-pw '),
  optionRule('wandb', ['wandb'], 'login (?:--relogin )?'),
  {
    kind: 'password',
    triggers: ['password'],
    pattern:
      /(?<=\b(?:machine[ \t]\S{1,128}|default)(?:\s|\\n){1,4}login[ \t]\S{1,64}(?:\s|\\n){1,4})password(?:\s|\\n){1,4}([^\s"'\\]{4,128})/y,
    judge: isGivenPassword,
  },
  {
    kind: 'password',
    triggers: ['identified by', 'password '],
    anyCase: true,
    pattern:
      /(?:identified by|(?<=(?:user|role)[^\r\n;]{1,100})password) {1,2}\\{0,16}['"]([^\s"'\\]{4,128})(?=\\{0,16}['"])/iy,
    judge: isGivenPassword,
  },
  {
    kind: 'password',
    triggers: [' -passin ', ' -passout '],
    pattern: / -pass(?:in|out) pass:([^\s"'\\]{4,128})/y,
    judge: isGivenPassword,
  },
]
