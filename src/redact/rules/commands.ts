import { isGivenPassword } from '../judge.ts'
import type { Rule } from '../rule.ts'
import { afterSign } from './pattern-parts.ts'

/** The options of one command. Quoted text may contain anything. */
const options = String.raw`(?:[^\r\n|;&"'\x60\\]|\\{0,16}"[^"\r\n\\]{0,120}\\{0,16}"|'[^'\r\n\\]{0,120}'){0,200}?`
const value = String.raw`\\{0,16}["']?([^\s"'\x60\\;&|<>()]{4,128})(?=[\s"'\\;&|]|$)`
const argument = String.raw`(?:"[^"\r\n]{1,120}"|'[^'\r\n]{1,120}'|[^\s"'|;&]{1,120})`
/** A command is no part of a word. The sign of a diff may precede it. */
const start = `(?:(?<![A-Za-z0-9_-])|${afterSign})`

/** A rule for an option that takes a password, or for arguments up to one. */
function optionRule(program: string, triggers: string[], option: string): Rule {
  return {
    kind: 'password',
    triggers,
    pattern: new RegExp(`${start}${program}${options} ${option}${value}`, 'y'),
    judge: isGivenPassword,
  }
}

/** Passwords on command lines. */
export const commands: readonly Rule[] = [
  optionRule('sshpass', ['sshpass'], '-p ?'),
  optionRule(
    '(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump)',
    ['mysql', 'mariadb'],
    '(?:-p|--password=)',
  ),
  optionRule('redis-cli', ['redis-cli'], '(?:-a|--pass) '),
  optionRule('mongo(?:sh|dump|restore|export|import)?', ['mongo'], '(?:-p|--password) '),
  optionRule(
    '(?:docker|podman|helm registry|buildah|nerdctl|skopeo|oras) login',
    ['docker', 'podman', 'helm', 'buildah', 'nerdctl', 'skopeo', 'oras '],
    '(?:-p|--password) ',
  ),
  optionRule('(?:plink|pscp|psftp)', ['plink', 'pscp', 'psftp'], '-pw '),
  optionRule('wandb', ['wandb'], 'login (?:--relogin )?'),
  optionRule('(?:sqlcmd|bcp|osql)', ['sqlcmd', 'bcp ', 'osql'], '-P ?'),
  optionRule('(?:zip|unzip|zipcloak)', ['zip ', 'unzip ', 'zipcloak '], '(?:-[a-zA-Z]*P ?|--password )'),
  optionRule('(?:7z|7za|7zr|rar|unrar)', ['7z ', '7za ', '7zr ', 'rar ', 'unrar '], '-h?p'),
  optionRule(
    '(?:az|oc) (?:login|[a-z])',
    ['az login', 'az ad ', 'az acr ', 'az vm ', 'az sql ', 'oc login'],
    '(?:-p|--(?:admin-)?password) ',
  ),
  optionRule('ldap(?:search|modify|add|delete|passwd|whoami)', ['ldap'], '-w '),
  optionRule('(?:mosquitto_(?:pub|sub)|ipmitool)', ['mosquitto_', 'ipmitool'], '-P '),
  optionRule(
    '(?:cqlsh|kinit|expect|psexec|influx|nats|lftp)',
    ['cqlsh', 'psexec', 'influx'],
    '(?:-p|--?password) ',
  ),
  optionRule(
    '(?:x|w)freerdp',
    ['freerdp'].flatMap((each) => [`x${each}`, `w${each}`]),
    '/p:',
  ),
  {
    // The password is an argument.
    kind: 'password',
    triggers: ['htpasswd -', 'rabbitmqctl ', 'wpa_passphrase '],
    pattern: new RegExp(
      `${start}(?:htpasswd -\\w{0,8}b\\w{0,8} ${argument}|rabbitmqctl (?:add_user|change_password)|wpa_passphrase) ${argument} ${value}`,
      'y',
    ),
    judge: isGivenPassword,
  },
  optionRule('nmcli', ['nmcli'], 'password '),
  {
    // The input of a program that asks for a password.
    kind: 'password',
    triggers: ['chpasswd', 'passwd --stdin', 'sudo -S', 'cryptsetup', '--password-stdin', 'smbpasswd'],
    pattern:
      /(?<=(?:(?:echo|printf)(?: -n)? |<<< )\\{0,16}["']?(?:[\w.-]{1,32}:)?(?<given>[^\s"'`\\;&|<>()]{6,128})(?:\\{1,8}n)?\\{0,16}["']? \| (?:sudo )?(?:docker login[^\r\n|]{0,80})?)(?:chpasswd|passwd --stdin|sudo -S|cryptsetup|--password-stdin|smbpasswd)/y,
    judge: (_, { groups }) => isGivenPassword(groups!.given!),
    ranges: ({ groups, input, index }) => {
      const begin = input.lastIndexOf(groups!.given!, index)
      return [{ start: begin, end: begin + groups!.given!.length }]
    },
  },
  {
    // `.netrc`, on one line or several, whatever precedes each.
    kind: 'password',
    triggers: ['password ', 'password\t', 'passwd ', 'password\\'],
    pattern:
      /passw(?:or)?d(?:[ \t]|\\{1,8}t){1,4}(?<=(?:\b|\\[nrt])(?:machine[ \t]{1,4}\S{1,128}|default)(?:\s|\\{1,8}[nrt])[\s\S]{0,100}login[ \t]{1,4}\S{1,64}[\s\S]{0,100})([^\s"'\\]{4,128})(?=[\s"'\\]|$)/y,
    judge: isGivenPassword,
  },
  {
    kind: 'password',
    triggers: ['requirepass ', 'masterauth '],
    pattern: /(?:requirepass|masterauth) {1,4}\\{0,16}["']?([^\s"'\\]{4,512})(?=[\s"'\\]|$)/y,
    judge: isGivenPassword,
  },
  {
    kind: 'password',
    triggers: [' -passin ', ' -passout ', ' -pass '],
    pattern: / -pass(?:in|out)? pass:([^\s"'\\]{4,128})/y,
    judge: isGivenPassword,
  },
]
