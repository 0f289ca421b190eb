import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(101)
const password = ['Nuss', 'Kipferl88zW'].join('')
const other = `${draw(random, 'alnum', 9)}2Zk`
const key = `${draw(random, 'alnum', 30)}4f`

/** The text with each value, which stands where the sign is. */
const isRedacted = (text: string, ...values: string[]): void => {
  let whole = text
  for (const value of values) whole = whole.replace('§', () => value)
  for (const each of [whole, `  512  ${whole}`, JSON.stringify({ command: whole })])
    for (const value of values) expect(redact(each), each).not.toContain(value)
  expect(redact(whole).startsWith(text.split('§')[0]!), redact(whole)).toBe(true)
}

const stays = (text: string): void => expect(redact(text)).toBe(text)

describe('a command in a sentence', () => {
  const commands = [
    ...['docker login -u bob -p §', 'redis-cli -a §', 'mysql -u root -p§', 'sshpass -p §', 'zip -P § a b'],
    ...['gh secret set DB_PASSWORD -b §', 'az login -u bob@shop.test -p §', 'net user bob §'],
    ...['htpasswd -bn bob §', 'wpa_passphrase home §', 'smbclient //h/s -U bob%§', 'curl -u bob:§'],
    ...['redis-cli -h h AUTH §', 'security add-generic-password -a bob -s shop -w §'],
  ]
  it.each(commands)('is read up to what surrounds it: %s', (command) => {
    for (const [before, after] of [
      ['I ran `', '` and it failed'],
      ['- `', '`: does it'],
      ['(', ')'],
      ['<code>', '</code>'],
    ])
      isRedacted(`${before}${command}${after}`, password)
  })
})

describe('an argument of a call that takes a password', () => {
  it.each([
    'expect(hashPassword("§")).toBe(hash)',
    'const ok = check_password("§", user)',
    'users: [{ name: "bob", password: hashPassword("§") }]',
    'flag.String("db-password", "§", "of the database")',
    'cmd.Flags().StringVar(&pw, "password", "§", "")',
    "let(:password) { '§' }",
    'Dim pwd As String = "§"',
    'const password = read() ?? "§"',
    'grafana-cli admin reset-admin-password §',
    'Please use the following password to proceed to installation:\n\n§',
    'Password for the [elastic] user successfully reset.\nNew value: §',
    'replace the password with §',
    'it is § (the db password)',
    'put § into DB_PASSWORD, please',
    '用 § 作为密码',
    'das alte Passwort war grün, das neue ist §',
  ])('is redacted: %s', (text) => isRedacted(text, other.padEnd(18, 'x4Rt')))

  it.each([
    'const user = findByPassword("reset-2")',
    'expect(validatePassword("too short")).toBe(false)',
    'flag.String("password", "", "of the database")',
    'let(:password_field) { "user_password_2" }',
    'Dim pwd As String = String.Empty',
    'New value: 8f3a9c0d7e6b5a4c3d2e1f0a9b8c7d6e',
    'replace the password with a longer one',
    'since 4.2.1-rc3 (the password page)',
  ])('is no secret: %s', stays)
})

describe('a password on a command line', () => {
  it.each([
    ...['127.0.0.1:6379> AUTH bob §', '127.0.0.1:6379> auth bob §', 'redis-cli -h h AUTH bob §'],
    ...['gh secret set TOKEN <<< "§"', 'wrangler secret put API_KEY <<< §', "kinit bob <<< '§'"],
    ...['AUTH §', 'redis> AUTH §', '127.0.0.1:6379> AUTH §'],
    ...['rclone config create shop s3 secret_access_key §', 'echo "§" | base64', 'echo -n § | base64'],
    ...['poetry config http-basic.shop bob §', 'composer config http-basic.shop.test bob §'],
    ...['bundle config gems.shop.test bob:§', 'bw login bob@shop.test §', 'drush user:password bob "§"'],
    ...['mc alias set shop https://shop.test bob §', 'impacket-psexec bob:§@10.0.0.7'],
    ...['restic -r s3:x --password-command "echo §"', `expect -c 'send "§\\r"'`],
    ...["az keyvault secret set --vault-name v --name db --value '§'", 'evil-winrm -i h -u bob -p §'],
    ...['nuget sources add -Name a -Username bob -Password §', 'sqlplus bob.m/§@shop.test:1521/X'],
    ...["mysql -u root '-p§' shop", '7z a "-p§" a.7z d', 'echo AUTH § | redis-cli -h cache', 'AUTH bob §'],
    ...['    fastcgi_param DB_PASSWORD "§";'],
    ...['composer config -g github-oauth.github.com §', 'composer config gitlab-token.shop.test §'],
    ...['ConvertTo-SecureString -AsPlainText "§" -Force', 'ConvertTo-SecureString -AsPlainText -String "§"'],
    ...['nuget sources add -name a -username bob -password §', 'chpasswd <<EOF\nbob:§\nEOF'],
    ...['account shop\nhost mail.shop.test\nuser bob\npassword §', 'with password § for bob'],
    ...['supabase link --project-ref x -p §', 'vncviewer -passwd §', "echo '§' | sudo -S apt update"],
  ])('is redacted: %s', (text) => isRedacted(text, password))

  it('is redacted with the signs that its quotes allow', () => {
    isRedacted("echo '§' | sudo -S apt update", `${password}&;${other}`)
  })

  it.each([
    'ssh-keygen -p -P § -N § -f id',
    'keytool -genkey -storepass § -keypass §',
    'keytool -importkeystore -deststorepass § -srcstorepass §',
    'snmpwalk -v3 -u bob -A § -X § h',
    'echo -e "§\\n§" | passwd bob',
  ])('is redacted as often as it is given: %s', (text) => isRedacted(text, password, other))

  it.each([
    ...['setx /M API_KEY §', 'ngrok config add-authtoken §', 'sonar-scanner -Dsonar.login=§'],
    ...['[2026-11-03 09:12:00] INFO  API_KEY         §', '> Auth token      §', 'Created API key "ci": §'],
    ...[
      'bundle config set gems.shop.test §',
      'vault login §',
      'vault login token=§',
      "Set-Item -Value '§' -Path Env:API_TOKEN",
    ],
  ])('may be a key: %s', (text) => isRedacted(text, key))

  it('is told from other arguments', () => {
    for (const text of [
      'rclone config create shop s3 provider AWS',
      'echo "hello world" | base64',
      'echo "test123" | base64',
      'AUTH required for this 3 endpoint',
      'curl -su "$CI_USER:$CI_TOKEN" https://shop.test',
      'curl -u bob:$(cat password.txt) https://shop.test',
      'docker run -u 1000:1000 node:24',
      'zip -P $ZIP_PASSWORD a b',
      'by default: user anonymous, passwd anonymous@',
      'bundle config set path vendor/bundle2',
      'vault login -method=oidc role=shop-admin-2026',
      'kinit bob <<< "$PASSWORD"',
      'useradd -p $(openssl passwd -6) bob',
    ])
      stays(text)
  })
})

describe('what is beside a password', () => {
  const value = 'Nuss(kip88)f'
  it.each([
    'redis-cli -u redis://:§@cache7.shop.test:6379 ping',
    'kubectl create secret generic shop --from-literal=password=§',
    "kubectl create secret generic shop --from-literal='password=§'",
    'sed -i "s/^DB_PASSWORD=.*/DB_PASSWORD=§" .env',
    'cache7.shop.test 的密码是§',
    "User.objects.create_user('bob', 'bob7@shop.test', '§')",
    "echo 'bob:§' | chpasswd",
    "ssh-keygen -p -P 'Old9!word' -N '§' -f id",
    'Server=db;Password=§;Database=shop',
    "helm upgrade shop ./shop --set 'auth.password=§'",
    "helm upgrade shop ./shop --set 'auth.password=§,image.tag=1.2'",
    'curl -d "user=bob&password=§&next=/home" https://shop.test',
  ])('stays: %s', (text) => {
    const given = /['=]§/.test(text) && !/from-literal=p|sed/.test(text) ? value : password
    const [before, after] = text.split('§')
    const redacted = redact(text.replace('§', given))
    expect(redacted.endsWith(`]${after}`), redacted).toBe(true)
    expect(redacted.replace(/\[REDACTED:[\w-]+\]/g, '')).toBe(before!.replace('Old9!word', '') + after)
  })
})

describe('an address', () => {
  it.each([
    ...['smtps://bob@shop.test:§@mail.shop.test:465', 'trojan://§@shop.test:443'],
    ...['signed: AWS4-HMAC-SHA256 Credential=x/20260101/s3, SignedHeaders=host, Signature=§'],
  ])('holds its password: %s', (text) =>
    isRedacted(text, text.includes('AWS4') ? `${draw(random, 'hex', 63)}7` : password),
  )

  it('holds one in base64', () =>
    isRedacted('ss://§@shop.test:8388', Buffer.from(`aes-256-gcm:${password}`).toString('base64')))

  it('of a digest is redacted in its answer', () =>
    isRedacted('Authorization: Digest username="bob", response="§"', `${draw(random, 'hex', 31)}7`))
})

describe('what programs print once', () => {
  it('is redacted: keys that open a store, and tokens that let a machine join', () => {
    isRedacted('Unseal Key 1: §', `${draw(random, 'base64', 43)}=`)
    isRedacted(
      'docker swarm join --token §',
      `SWMTKN-1-${draw(random, 'low', 50)}-${draw(random, 'low', 25)}`,
    )
    isRedacted(
      'kubeadm join 10.0.0.7:6443 --token §',
      `ab3de${draw(random, 'digit', 1)}.x${draw(random, 'low', 14)}7`,
    )
  })
})
