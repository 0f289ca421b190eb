import {
  isAssignedKey,
  isAssignedPassword,
  isGivenPassword,
  isSpokenPassword,
  isStatedKey,
  isUnlikeWords,
  isVaried,
  looksLikeKey,
  looksRandom,
} from '../judge.ts'
import { combinations, givenRange, type PasswordRule, passwordRules, type Rule } from '../rule.ts'
import { afterSign, backslash, insideQuotes, LONGEST_VALUE } from './pattern-parts.ts'

/** The options of one command. Quoted text may contain anything. */
const options = String.raw`(?:[^\r\n|;&"'\x60\\]|\\{1,4}[\w.$-]|\\{0,16}"[^"\r\n\\]{0,120}\\{0,16}"|'[^'\r\n\\]{0,120}'){0,200}?`
/** Bare, or in quotes, between which only white space ends it. */
const singly = String.raw`(?:[^\s'\\]|${insideQuotes}|${backslash}){4,128}`
const value = String.raw`(?:\\{0,16}"(?=[^\s"'\x60\\]{4,128}\\{0,16}")|'(?=${singly}'))?((?<='|\s'-[\w-]{0,16}=?)${singly}(?=')|(?<=\s\\{0,16}"-[\w-]{0,16}=?)[^\s"\\]{4,128}(?=\\{0,16}")|[^\s"'\x60\\;&|<>()]{4,128}|(?<=")[^\s"\\]{4,128}|(?<=')[^\s'\\]{4,128})(?=[\s"'\x60\\;&|,\])<]|$)`
const argument = String.raw`(?:"[^"\r\n]{1,120}"|'[^'\r\n]{1,120}'|[^\s"'|;&\x60]{1,120})`
/** Options without a value, or with a number. */
const flags = String.raw`(?:-{1,2}[\w-]{1,12} (?:\d{1,2} )?)`
/** A command is no part of a word. The sign of a diff may precede it. */
const start = `(?:(?<![A-Za-z0-9_-])|${afterSign})`

/**
 * A rule for an option that takes a password, or for arguments up to one, of programs separated by bars. If a
 * name ends with a space, a space has to follow it. `command` is the pattern of what follows the names.
 */
const optionRule = (
  programs: string,
  option: string,
  judge: Rule['judge'] = isGivenPassword,
  command = '',
): PasswordRule => ({
  triggers: programs.split('|'),
  pattern: new RegExp(
    `${start}(?:${programs.replace(/ (?=\||$)/g, '(?= )')})${command}${options} \\\\{0,16}["']?${option}${value}`,
    'y',
  ),
  judge,
})

/** The same for commands that take several passwords. */
function everyOption(programs: string, option: string): PasswordRule {
  const further = new RegExp(`(?:\\\\{0,16}["'])?${options} ${option}${value}`, 'y')
  return {
    ...optionRule(programs, option),
    ranges: ({ 0: match, 1: first, input, index }) => {
      let end = index + match.length
      const found = [{ start: end - first!.length, end }]
      for (let next: RegExpExecArray | null; found.length < MOST_OPTIONS; ) {
        further.lastIndex = end
        next = further.exec(input)
        if (next === null) break
        end += next[0].length
        if (isGivenPassword(next[1]!)) found.push({ start: end - next[1]!.length, end })
      }
      return found
    },
  }
}
const MOST_OPTIONS = 8

/** Programs that read a secret from their input. */
const readers = [
  'chpasswd',
  'passwd --stdin',
  'sudo -S',
  'sudo --stdin',
  'cryptsetup',
  '--password-stdin',
  '--with-token',
  'smbpasswd',
  'gh secret set',
  'kubectl create secret',
  'gcloud secrets ',
  'doppler secrets ',
  'vercel env add',
  'wrangler ',
  'docker secret create',
  'podman secret create',
  'keepassxc-cli',
  'gpg --',
  'pass insert',
  'secret-tool store',
  'fly secrets',
  'firebase functions:secrets:set',
]

/** Passwords on command lines, unless a rule names another kind. */
export const commands: readonly Rule[] = passwordRules([
  optionRule('sshpass', '-p ?'),
  optionRule('mysql|mariadb', '(?:-p|--password=)'),
  optionRule('mysqladmin|mariadb-admin', 'password '),
  optionRule('redis-cli', '(?:-a|--pass) '),
  optionRule('gh secret set', '(?:-b ?|--body[ =])', (secret) => isAssignedPassword(secret, 'quoted')),
  optionRule('plink|pscp|psftp', '-pw '),
  optionRule(
    'wandb login|vault login|cargo login',
    '(?:--relogin )?(?:token=)?',
    (secret) => isStatedKey(secret, true) || (!secret.includes('=') && isAssignedKey(secret, true)),
  ),
  optionRule('sqlcmd|bcp |osql|isql|mosquitto_|ipmitool', '-P ?'),
  optionRule('zip |unzip |zipcloak ', '(?:-[a-zA-Z]*P ?|--password )'),
  optionRule('7z |7za |7zr |rar |unrar ', '-h?p'),
  optionRule('ldapsearch|ldapmodify|ldapadd|ldapdelete|ldappasswd|ldapwhoami|ldapcompare', '-[wsa] '),
  optionRule(
    'docker login|podman login|helm registry login|buildah login|nerdctl login|skopeo login|oras login|oc login|' +
      'az login|az ad |az acr |az vm |az sql |mongo|cqlsh|psexec|influx|twine|devpi login|mycli|poetry publish|' +
      'rabbitmqadmin|smbmap|hydra |evil-winrm|supabase|nxc|netexec|crackmapexec',
    '(?:-p|--?(?:admin-)?password) ',
  ),
  optionRule('winrs', '[-/]p(?:assword)?:'),
  optionRule('xfreerdp|wfreerdp', '/p:'),
  optionRule('cmdkey|rdesktop', '(?:/pass:|-p )'),
  everyOption('ssh-keygen', '-[NP] ?'),
  everyOption('keytool|jarsigner|apksigner', '-(?:store|key|new|deststore|srcstore|destkey|srckey)pass '),
  optionRule(
    'security add-|security unlock|security create-|security set-|security import|security default',
    '-[pwP] ',
  ),
  optionRule(
    'openssl ',
    '-(?:k|pass(?:in|out)? pass:|password pass:) ?',
    isGivenPassword,
    ' (?:enc|(?:aes|des)[\\w-]{0,20}|pkcs12|rsa|genrsa)',
  ),
  optionRule('smbclient|rpcclient|winexe', `(?:-U|--user(?:=| )) ?\\\\{0,8}["']?[^\\s%"']{1,128}%`),
  optionRule('lftp', '-u [^\\s,]{1,64},'),
  optionRule('http |https |xh ', '(?:-a|--auth)[ =][^\\s:]{1,64}:'),
  optionRule('curl ', `(?:(?:--proxy-user|-U)[ =]|-[a-zA-Z]{1,8}u ?)\\\\{0,8}["']?[^\\s:"']{1,64}:`),
  optionRule('rclone obscure', '?'),
  optionRule(
    'rclone config create|rclone config update|rclone config password',
    '(?:[\\w-]{0,24}(?:pass|key|token|secret))[ =]',
  ),
  everyOption('snmp', '-[AX] '),
  optionRule('snmpget|snmpset|snmpwalk|snmpbulkwalk', '-c ', isSpokenPassword),
  optionRule('dscl ', '-passwd /\\S{1,80} '),
  optionRule('vncviewer', '-passwd ', isSpokenPassword),
  optionRule('nuget ', '-(?:[Pp]assword|[Aa]pi[Kk]ey) '),
  optionRule('az keyvault secret set', '--value '),
  optionRule('ngrok ', '(?:config )?(?:add-)?authtoken '),
  optionRule('net user ', '[\\w.-]{1,64} ', (secret) => !/^[/*]/.test(secret) && isGivenPassword(secret)),
  {
    triggers: ['net use '],
    pattern:
      /net use (?:[A-Za-z*]: )?\\{2,8}[^\s"']{1,128} (?:\/user:\S{1,80} )?\\{0,16}["']?([^\s"'/*\\][^\s"'\\]{4,127})(?=[\s"'\\]|$)/iy,
    judge: isGivenPassword,
  },
  {
    triggers: ['sqlplus ', 'sqlldr ', 'expdp ', 'impdp '],
    pattern:
      /(?:sqlplus|sqlldr|expdp|impdp) (?:-\w{1,10} ){0,3}\\{0,16}["']?[\w$#.-]{1,64}\/\\{0,16}["']?([^\s"'@\\]{3,64}?)(?=\\{0,16}["']?(?:@|[\s"']|$))/y,
    judge: isGivenPassword,
  },
  {
    kind: 'api-key',
    // A key as the name of the account, without a password.
    triggers: [' -u', '--user ', '--user='],
    pattern: /(?: -u ?|--user[ =])\\{0,16}["']?([A-Za-z0-9_-]{16,128})(?=:(?:[\s"'\\]|$))/y,
    judge: (secret) => isStatedKey(secret, true) || looksRandom(secret),
  },
  {
    // The password is an argument.
    triggers: ['htpasswd -', 'mosquitto_passwd -', 'rabbitmqctl ', 'wpa_passphrase ', '-setairportnetwork '],
    pattern: new RegExp(
      `${start}(?:htpasswd (?=${flags}{0,6}-\\w{0,8}b)(?:(?=${flags}{0,6}-\\w{0,8}n)${flags}{1,7}|(?!${flags}{0,6}-\\w{0,8}n)${flags}{1,7}${argument} )|mosquitto_passwd (?:-c )?-b ${argument} |rabbitmqctl (?:add_user|change_password|authenticate_user) |wpa_passphrase |-setairportnetwork \\w{1,12} )${argument} ${value}`,
      'y',
    ),
    judge: isGivenPassword,
  },
  optionRule('nmcli', '(?:password|[\\w-]{0,40}\\.psk|[\\w-]{0,40}password) '),
  {
    // What a script types when a program asks for a password.
    triggers: ['assword', 'assphrase', 'asswort'],
    pattern:
      /ass(?:word|phrase|wort)[^\r\n"']{0,20}\\{0,16}["'}](?:\s|\\{1,8}[nrt]){0,20}(?:\{\s{0,8})?(?:exp_)?send(?:line)?(?:\(| (?:-- )?)\\{0,16}["']([^\s"'\\]{4,128})(?=(?:\\{1,8}[nr]){0,2}\\{0,16}["'])/y,
    judge: isGivenPassword,
  },
  {
    triggers: ['AUTH ', '> auth '],
    pattern:
      /(?:(?<![\w-])AUTH|> auth) (?<user>[\w.-]{1,32} )?\\{0,16}["']?([^\s"'\x60\\)<]{6,128})(?=\\{0,16}["']?(?:\s*(?:$|[\r\n"\\])|[\x60)<]| ?\| ?redis-cli))/y,
    judge: isAuthPassword,
  },
  {
    triggers: ['chpasswd', 'openssl passwd', 'mkpasswd'],
    pattern:
      /(?:chpasswd(?: -\w{1,10}){0,2} <<(?:< ?\\{0,16}["']?|-? ?["']?\w{1,12}["']?(?:\n|\\{1,16}n))[\w.-]{1,32}:|openssl passwd (?:-\w{1,10} ){0,3}\\{0,16}["']?(?=[^-])|mkpasswd (?:-\S{1,20} ){0,3}\\{0,16}["']?(?=[^-]))([^\s"'\\)]{6,128})(?=[\s"'\\)]|$)/y,
    judge: isGivenPassword,
  },
  {
    // A parameter that is stored encrypted.
    kind: 'secret',
    triggers: ['put-parameter ', 'create-secret ', 'put-secret-value ', 'update-secret '],
    pattern: new RegExp(
      String.raw`(?:put-parameter(?=[^\r\n]{1,300}SecureString)|(?:create|update)-secret|put-secret-value) [^\r\n]{0,200}?--(?:value|secret-string)[ =]\\{0,16}["']?([^\s"'\\{]{6,${LONGEST_VALUE}})(?=[\s"'\\]|$)`,
      'y',
    ),
    judge: isGivenPassword,
  },
  {
    // The input of a program that asks for a password or stores a secret.
    triggers: readers,
    pattern: new RegExp(
      `(?<=(?:(?:echo|printf)(?: -n)?(?: \\\\{0,16}["']?%s(?:\\\\{1,8}n)?\\\\{0,16}["']?)? |<<< )\\\\{0,16}["']?(?:[\\w.-]{1,32}:)?(?<given>[^\\s"'\x60\\\\;&|<>()]{6,128}|(?<=')[^\\s']{6,128}(?=')|(?<=")[^\\s"\\\\]{6,128}(?="))(?:\\\\{1,8}n)?\\\\{0,16}["']? {0,2}\\| {0,2}(?:sudo |npx ){0,2}(?:docker login[^\\r\\n|]{0,80}|gh auth login[^\\r\\n|]{0,40})?)(?:${readers.join('|')})`,
      'y',
    ),
    judge: (_, { groups }) => isGivenPassword(groups!.given!),
    ranges: (match) =>
      givenRange(match).map(({ start, end }) => ({
        start: start + (match[0] === 'chpasswd' ? match.groups!.given!.indexOf(':') + 1 : 0),
        end,
      })),
  },
  {
    // The same behind the program.
    triggers: combinations(['<<<'], [' ', '"', "'"]),
    pattern: new RegExp(
      `<<<(?<=(?:${readers.join('|')}|kinit|passwd|cryptsetup|sudo )[^\\r\\n|;&<]{0,120}<<<) ?(?:\\\\{0,16}["']?[\\w.-]{1,32}:)?${value}`,
      'y',
    ),
    judge: isGivenPassword,
  },
  {
    // `echo -e "X\\nX" | passwd bob`
    triggers: ['| passwd', '| sudo passwd', '| smbpasswd'],
    pattern:
      /(?<=(?:echo -e|printf) \\{0,8}["']?(?<one>[^\s"'\\|]{4,128})\\{1,8}n(?<two>[^\s"'\\|]{4,128})(?:\\{1,8}n)?\\{0,8}["']? ?)\| (?:sudo )?(?:smb)?passwd/y,
    judge: (_, { groups }) => isGivenPassword(groups!.one!),
    ranges: ({ groups, input, index }) => {
      const { one, two } = groups as { one: string; two: string }
      const second = input.lastIndexOf(two, index)
      const first = input.lastIndexOf(one, second - 1)
      return [
        { start: first, end: first + one.length },
        { start: second, end: second + two.length },
      ]
    },
  },
  {
    // `.netrc`, on one line or several, whatever precedes each.
    triggers: ['password ', 'password\t', 'passwd ', 'password\\'],
    pattern:
      /passw(?:or)?d(?:[ \t]|\\{1,8}t){1,4}(?=[^\s"'\\]{4})(?=[a-z]{0,127}[^a-z\s"'\\])(?:(?<=(?:\b|\\[nrt])(?:machine[ \t]{1,4}\S{1,128}|default)(?:\s|\\{1,8}[nrt])[\s\S]{0,100}login[ \t]{1,4}\S{1,64}[\s\S]{0,100})|(?<=\bhost[ \t]{1,4}\S{1,128}\W{1,12}user[ \t]{1,4}\S{1,64}\W{1,12}password[ \t]{1,4})|(?<=(?:\b|\\[nrt])machine[ \t]{1,4}\S{1,128}(?:\s|\\{1,8}[nrt])[\s\S]{0,60})(?=\S{1,128}(?:\s|\\{1,8}[nrt])[\s\S]{0,60}login[ \t]))([^\s"'\\]{4,128})(?=[\s"'\\]|$)/y,
    judge: (secret) => /[^a-z]/.test(secret) && isGivenPassword(secret),
  },
  {
    // `Input Password    id:password    X` and other steps of Robot Framework.
    triggers: combinations(['Input ', 'Type ', 'Fill '], ['Password', 'Secret', 'Text']),
    pattern:
      /(?:Input|Type|Fill) (?:Password|Secret|Text(?=(?: {2,8}|\t)\S{0,60}pass))(?: {2,8}|\t)\S{1,80}(?: {2,8}|\t{1,4})([^\s"'\\]{4,128})(?=[\s"'\\]|$)/y,
    judge: isGivenPassword,
  },
  {
    kind: 'secret',
    triggers: ['-Item -Value '],
    pattern: new RegExp(
      `-Item -Value ${value}(?=["']? -Path ["']?Env:[\\w-]{0,60}(?:key|token|secret|pass|pwd))`,
      'iy',
    ),
    judge: isGivenPassword,
  },
  {
    // The password is the last argument of a command that names an account.
    triggers: [
      'http-basic.',
      'pypi-token.',
      'b-oauth.',
      'b-token.',
      'bw login ',
      'drush ',
      'mc alias set ',
      'mc config host ',
    ],
    pattern: new RegExp(
      `(?:(?<=(?:poetry|composer) config (?:-\\S{1,20} ){0,3}(?:git\\w{2})?)(?:http-basic\\.\\S{1,100} ${argument}|(?:pypi-token|(?<=git(?:la|hu))b-(?:oauth|token))\\.\\S{1,60})|${start}(?:bw login [^\\s@]{1,64}@[^\\s@]{1,64}|drush (?:-\\S{1,20} ){0,3}(?:user:password|user-password|upwd) ${argument}|mc (?:alias set|config host add) \\S{1,64} https?://\\S{1,128} ${argument})) (?:--password=)?${value}`,
      'y',
    ),
    judge: isGivenPassword,
  },
  {
    triggers: ['bundle config '],
    pattern: new RegExp(
      `${start}bundle config (?:set |--global |--local ){0,3}[\\w.:/-]{1,100} (?:[\\w.@-]{1,64}:)?${value}`,
      'y',
    ),
    judge: (secret, [match]) =>
      match.at(-secret.length - 1) === ':' ? isGivenPassword(secret) : looksLikeKey(secret),
  },
  {
    triggers: ['mpacket-', ...combinations(['psexec', 'wmiexec', 'smbexec', 'secretsdump'], ['.py '])],
    pattern:
      /(?:(?<=i)mpacket-\w{1,24}|\w{6,12}\.py) (?:-\S{1,20} ){0,3}\\{0,8}["']?(?:[\w.-]{1,64}\/)?[\w.$-]{1,64}:([^\s"'\\]{4,128})(?=@[\w.-])/y,
    judge: isGivenPassword,
  },
  {
    triggers: ['Dsonar.', '--password-command'],
    pattern: new RegExp(
      `(?:Dsonar\\.(?:login|token|password)=|--password-command[ =]\\\\{0,8}["']?echo )${value}`,
      'y',
    ),
    judge: isGivenPassword,
  },
  {
    // What a script types.
    triggers: ['send "', 'send \\', 'send -- '],
    pattern:
      /send (?:-- )?\\{0,8}"(?:(?<=expect -c [^\r\n]{0,200})|(?=[^\s"\\]{6,128}\\{1,8}r\\{0,8}"))([^\s"\\]{6,128})(?=\\{1,8}[rn]\\{0,8}")/y,
    judge: isSpokenPassword,
  },
  {
    // `echo X | base64`
    triggers: ['| base64', '| ConvertTo-SecureString'],
    pattern:
      /(?<=(?:(?:echo|printf)(?: -n)? (?:%s )?|[=(] ?)\\{0,8}["']?(?<given>[^\s"'\x60\\;&|<>()]{6,128})\\{0,8}["']? ?)\| (?:ConvertTo-SecureString|base64(?! -[dD]| --decode))/y,
    judge: (_, { groups }) =>
      isSpokenPassword(groups!.given!) && (/[A-Z]/.test(groups!.given!) || looksRandom(groups!.given!)),
    ranges: givenRange,
  },
  {
    triggers: [
      ...['requirepass ', 'masterauth ', 'bindpw ', 'rootpw ', 'auth_pass '],
      ...['_pw ', 'bw unlock '],
    ],
    pattern:
      /(?:requirepass|masterauth|bindpw|rootpw|auth_pass|(?<=input|user|owner)_pw|(?<![\w-])bw unlock) {1,4}(?:--plaintext )?(?!--)\\{0,16}["']?([^\s"'\\]{4,512})(?=[\s"'\\]|$)/y,
    judge: isGivenPassword,
  },
  {
    // What routers are configured with, behind the number of its form: 5, 8 and 9 are hashes.
    triggers: [
      ...['secret ', 'password ', 'mmunity ', 'isakmp key ', '-server key ', 'key-string ', 'digest-key '],
      ...[
        'authentication-key ',
        'password-value ',
        "key '",
        'key "',
        ...combinations(['wireless.'], 'abcdefghijklmnopqrstuvwxyz@'),
      ],
    ],
    pattern:
      /(?:(?:(?:secret|password)(?<=(?:enable|username \S{1,64}(?: privilege \d{1,2})?) \w{6,8})|(?<=server co)mmunity|isakmp key|-server key|key-string|digest-key(?: \d{1,3} md5)?|authentication-key|(?<=plain-text-)password-value|(?<=reset-admin-|insecure-)password|(?<=option )key(?= ["'])) |wireless\.[\w@[\]-]{1,40}\.key=)(?:[067] )?\\{0,16}["']?([^\s"'\\]{6,128})(?=[\s"'\\]|$)/y,
    judge: isSpokenPassword,
  },
  {
    // What Jenkins and Elasticsearch print once.
    triggers: ['to installation:', 'New value:'],
    pattern:
      /(?:to installation|(?<=ssfully reset\.(?:\W|(?<=\\)[nr]){1,4})New value):(?:\W|(?<=\\)[nr]){1,64}([\w*+=-]{16,64})/y,
    judge: isSpokenPassword,
  },
  {
    // The seed of an authenticator.
    kind: 'secret',
    triggers: ['oathtool ', 'TOTP(', 'otp.generate(', 'authenticator.generate('],
    pattern:
      /(?:oathtool (?:-{1,2}[\w-]{1,12}(?:=\w{1,10})? ){1,6}|(?:TOTP|(?:(?<=t)otp|authenticator)\.generate)\(\s{0,4})\\{0,16}["']?([A-Za-z2-7]{16,64}=*|[0-9a-f]{32,64})(?=["'\x60\\)\s;|&,.]|$)/y,
    judge: isVaried,
  },
  {
    triggers: [' -passin ', ' -passout ', ' -pass '],
    pattern: / -pass(?:in|out)? \\{0,16}["']?pass:([^\s"'\\]{4,128})/y,
    judge: isGivenPassword,
  },
  {
    triggers: ['ConvertTo-SecureString'],
    anyCase: true,
    pattern:
      /ConvertTo-SecureString (?:-(?:String|AsPlainText|Force) ){0,3}\\{0,16}(?<quote>["'])([^\s"'\\]{5,128})(?=\\{0,16}["'])/iy,
    judge: isGivenPassword,
  },
  {
    kind: 'session-token',
    triggers: ['BW_SESSION', '--session '],
    pattern:
      /(?:BW_SESSION(?: ?= ?|"? ?: ?)|(?<=\bbw [^\r\n]{1,80})--session )\\{0,16}["']?([A-Za-z0-9+/]{40,120}={0,2})/y,
    judge: isStatedOrRandom,
  },
])

/** The command of Redis in its client, or alone on a line if the value is no word of a protocol. */
function isAuthPassword(secret: string, { 0: match, groups, input, index }: RegExpExecArray): boolean {
  if (!isUnlikeWords(secret) || !isGivenPassword(secret)) return false
  const before = input
    .slice(Math.max(0, index - 100), match.startsWith('>') ? index + 1 : index)
    .split(/[\r\n]|\\[nr]/)
    .at(-1)!
  if (/redis|:\d{2,5}>/i.test(before) || /^.{0,4}\| ?redis/.test(input.slice(index + match.length)))
    return true
  return (
    (/^["'`]?[\s\d+>|$#-]*$/.test(before) || /[>"'`$#] ?$/.test(before)) &&
    (groups!.user === undefined
      ? looksRandom(secret)
      : isMixed(secret) || /[@#!%&*+?^~]/.test(secret)
        ? !/[:/]/.test(secret)
        : looksRandom(secret) && (secret.length >= 16 || /^(?:plain|login|default) /i.test(groups!.user)))
  )
}

const isMixed = (value: string): boolean => value.length >= 12 && /[a-z]/.test(value) && /[A-Z]/.test(value)

function isStatedOrRandom(secret: string): boolean {
  return isStatedKey(secret, true) || looksRandom(secret) || isSpokenPassword(secret)
}
