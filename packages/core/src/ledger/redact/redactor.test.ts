import { describe, expect, test } from 'vitest'
import { createRedactor, type Json } from './redactor.ts'
import { isSecretName } from './secret-name.ts'

const redactor = createRedactor({ key: new Uint8Array(32).fill(7) })
const other = createRedactor({ key: new Uint8Array(32).fill(8) })

/** Replacements without their digits. */
function shape(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replace(/\[redacted:([a-z0-9-]+):[0-9a-f]{8}\]/g, '[$1]'))
}

const github = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

describe('names', () => {
  test.each([
    ...['password', 'DB_PASSWORD', 'dbPassword', 'user.password', 'X-Api-Key', 'apiKey', 'APIKEY', 'client_secret', 'accessToken'],
    ...['refresh_token', 'token', '_authToken', 'Authorization', 'Set-Cookie', 'aws_secret_access_key', 'private-key', 'SMTP_PASS'],
    ...['connectionString', 'SECRET_KEY_BASE', 'credentials', 'passphrase', 'STRIPE_KEY', 'access_tokens', 'secret_id'],
  ])('%s is secret', name => {
    expect(isSecretName(name)).toBe(true)
  })

  test.each([
    ...['tokens', 'max_tokens', 'input_tokens', 'tokenizer', 'token_count', 'nextPageToken', 'password_min_length', 'passwordField'],
    ...['public_key', 'primaryKey', 'key', 'cache_key', 'author', 'authored', 'secretName', 'session_id', 'compass', 'pass', 'tokenType'],
    ...['cookiePolicy', 'password_hash', 'TOKEN_FILE', 'keyboard', 'string'],
  ])('%s is not', name => {
    expect(isSecretName(name)).toBe(false)
  })
})

describe('values', () => {
  test.each<[Json, Json]>([
    [{ password: 'hunter2' }, { password: '[password]' }],
    [
      { password: 12345678, tries: 3 },
      { password: '[password]', tries: 3 },
    ],
    [
      { password: true, token: null, secret: '' },
      { password: true, token: null, secret: '' },
    ],
    [{ token: github }, { token: '[github-token]' }],
    [{ Authorization: `Bearer ${github}` }, { Authorization: 'Bearer [github-token]' }],
    [{ credentials: { user: 'bob', list: ['a1b2c3', 7] } }, { credentials: { user: '[secret]', list: ['[secret]', 7] } }],
    [[{ name: 'DB_PASSWORD', value: 'hunter2' }], [{ name: 'DB_PASSWORD', value: '[password]' }]],
    [{ [github]: 1 }, { '[github-token]': 1 }],
    [
      ['curl', '-u', 'bob:hunter2', 'https://x.io'],
      ['curl', '-u', 'bob:[password]', 'https://x.io'],
    ],
    [
      ['--password', 'hunter2'],
      ['--password', '[password]'],
    ],
    ['{"secrets":["hunter2"]}', '{"secrets":["[secret]"]}'],
    [7, 7],
  ])('%j', (given, expected) => {
    expect(shape(redactor.redactValue(given))).toEqual(expected)
  })

  test('nesting beyond all reason', () => {
    let value: Json = 'hunter2'
    for (let depth = 0; depth < 5000; depth += 1) value = [value]
    expect(JSON.stringify(redactor.redactValue(value))).not.toContain('hunter2')
  })
})

describe('texts', () => {
  test.each([
    ['DB_PASSWORD=hunter2 npm start', 'DB_PASSWORD=[password] npm start'],
    ['postgres://app:hunter2@db:5432/x', 'postgres://app:[url-password]@db:5432/x'],
    ["curl -b 'sid=s3cr3tvalue9; b=c' https://x.io", "curl -b '[password]' https://x.io"],
    ['curl -bsid=s3cr3tvalue9 https://x.io', 'curl -b[password] https://x.io'],
    ['curl -b cookies.txt https://x.io', 'curl -b cookies.txt https://x.io'],
    ['curl https://api.telegram.org/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11/getMe', 'curl https://[telegram-token]/getMe'],
    ['  client-key-data: c2VjcmV0c2VjcmV0', '  client-key-data: [key]'],
    [`curl https://x.io/?t=${github.replace('_', '%5F')}`, 'curl https://x.io/?t=[github-token]'],
    [`curl https://x.io/?t=%67%68p%5f${github.slice(4)}&u=1`, 'curl https://x.io/?t=[github-token]&u=1'],
    [`echo gh'p_'${github.slice(4)} x`, 'echo [github-token] x'],
    [`echo ${github.slice(0, 20)}"${github.slice(20)}" x`, 'echo [github-token]" x'],
    [`echo ${github.slice(0, 20)}\\${github.slice(20)} x`, 'echo [github-token] x'],
    ["DB_PASSWORD=hun'ter2' npm start", "DB_PASSWORD=[password]' npm start"],
    ["DB_PASSWORD='hun'ter2 npm start", "DB_PASSWORD='[password] npm start"],
    ["it's 'what' they don't say 100%25", "it's 'what' they don't say 100%25"],
    ['postgres://app:p@ss@db/x', 'postgres://app:[url-password]@db/x'],
    ['Cookie: a=b1234; c=d', 'Cookie: [cookie]'],
    [`x ${github} y`, 'x [github-token] y'],
    [`a_${github}`, 'a_[github-token]'],
    ['"password": "with \\"quotes\\" inside 1"', '"password": "[password]"'],
    ['password: "cut off he1', 'password: "[password]'],
    ["mysql -u root -p'hunter2' shop", "mysql -u root -p'[password]' shop"],
    ['STRIPE_KEY=hunter2secret', 'STRIPE_KEY=[key]'],
    ['<password>hunter2</password>', '<password>[password]</password>'],
    ['<add key="ApiKey" value="hunter2" />', '<add key="ApiKey" value="[key]" />'],
    ['echo hunter2 | sudo -S ls', 'echo [password] | sudo -S ls'],
    ["echo -n 'hunter2' | docker login -u me --password-stdin", "echo -n '[password]' | docker login -u me --password-stdin"],
    ['gh auth login --with-token <<< "hunter2"', 'gh auth login --with-token <<< "[password]"'],
    ['echo "$PASSWORD" | sudo -S ls', 'echo "$PASSWORD" | sudo -S ls'],
    ['security add-generic-password -a me -w hunter2', 'security add-generic-password -a me -w [password]'],
    ['ssh-keygen -N hunter2 -f key', 'ssh-keygen -N [password] -f key'],
    ['lftp -u bob,hunter2 x.io', 'lftp -u bob,[password] x.io'],
    ['htpasswd -b .htpasswd bob hunter2', 'htpasswd -b .htpasswd bob [password]'],
    [
      'htpasswd -cbB -C 12 /etc/nginx/.htpasswd bob "hun ter2" > /dev/null',
      'htpasswd -cbB -C 12 /etc/nginx/.htpasswd bob "[password]" > /dev/null',
    ],
    ['docker run --rm httpd:2 htpasswd -nbB bob hunter2 2>&1 | tee x', 'docker run --rm httpd:2 htpasswd -nbB bob [password] 2>&1 | tee x'],
    ['sh -c "htpasswd -nb bob hunter2"', 'sh -c "htpasswd -nb bob [password]"'],
    ['htpasswd -B .htpasswd bob', null],
    ['htpasswd -nb bob "$PASSWORD"', null],
    [
      'net use Z: \\\\srv\\share /user:ACME\\bob hunter2 /persistent:no',
      'net use Z: \\\\srv\\share /user:ACME\\bob [password] /persistent:no',
    ],
    ['NET USE * \\\\srv\\share hunter2 /USER:bob', 'NET USE * \\\\srv\\share [password] /USER:bob'],
    ['net use Z: \\\\srv\\share * /user:bob', null],
    ['net user bob hunter2 /add', 'net user bob [password] /add'],
    ['the net use of energy per user: high', null],
    ['composer config http-basic.repo.example.com bob hunter2', 'composer config http-basic.repo.example.com bob [password]'],
    [
      'composer config --global --auth github-oauth.github.com hunter2',
      'composer config --global --auth github-oauth.github.com [password]',
    ],
    ['php composer.phar config gitlab-token.git.example.com hunter2', 'php composer.phar config gitlab-token.git.example.com [password]'],
    ['composer config --unset http-basic.repo.example.com', null],
    ['composer config bin-dir vendor/bin', null],
    [
      'rclone config create nas sftp host nas.example.com user bob pass hunter2',
      'rclone config create nas sftp host nas.example.com user bob pass [password]',
    ],
    ['rclone config update nas pass=hunter2 user=bob', 'rclone config update nas pass=[password] user=bob'],
    [
      'rclone config create s s3 secret_access_key "hunter2" region eu',
      'rclone config create s s3 secret_access_key "[password]" region eu',
    ],
    ['rclone config create c crypt password2="hunter2"', 'rclone config create c crypt password2="[password]"'],
    ['rclone obscure hunter2', 'rclone obscure [password]'],
    ['rclone obscure -', null],
    ['rclone copy nas:photos /backup --progress', null],
    ['ACME_PAT=a1b2c3d4e5f6 npm publish', 'ACME_PAT=[access-token] npm publish'],
    ['env:\n  ADO_PAT: hunter2a\n', 'env:\n  ADO_PAT: [access-token]\n'],
    ['{"GH_PAT": "hunter2", "FILE_PAT": "src/*.ts"}', '{"GH_PAT": "[access-token]", "FILE_PAT": "src/*.ts"}'],
    ['const DATE_PAT = "[0-9]{4}-[0-9]{2}"', null],
    ['file_pat=a1b2c3d4e5f6', null],
    ['https://a1b2c3d4e5@git.example.com/x.git', 'https://[url-token]@git.example.com/x.git'],
    ['https://a1b2c3d4e5:@git.example.com/x.git', 'https://[url-token]:@git.example.com/x.git'],
    ['https://a1b2c3d4e5:x-oauth-basic@github.com/x.git', 'https://[url-token]:x-oauth-basic@github.com/x.git'],
    ['https://john.doe42@bitbucket.org/x.git ssh://ec2-user@host https://bob%40acme.com@host/', null],
    ['Password:\nhunter2\nDone', 'Password:\n[password]\nDone'],
    ['+password:\r\n+    Tr0ub4dor&3\r\n', '+password:\r\n+    [password]\r\n'],
    ['API_TOKEN=\na1b2c3d4e5', 'API_TOKEN=\n[token]'],
    ['"password":\n  "hunter2"', '"password":\n  "[password]"'],
    ["const secret =\n  'a1b2c3d4e5'", "const secret =\n  '[secret]'"],
    ['secrets:\n  db:\n    driver: x', null],
    ['password:\n  secretKeyRef:\n    name: db', null],
    ['const token =\n  request.headers.authorization', null],
    ['Enter password:\nLogin failed', null],
    ['password:\ncorrecthorse', 'password:\n[password]'],
    ['if self.password:\n    return', null],
    ['`htpasswd -b FILE USER PASSWORD`, and more', null],
    ['[redacted:password:0a1b2c3d]', '[password]'],
    ['token: [redacted:github-token:0a1b2c3d]', 'token: [github-token]'],
  ])('%s', (text, expected) => {
    expect(shape(redactor.redactText(text))).toBe(expected ?? text)
    expect(shape(JSON.parse(redactor.redactJson(JSON.stringify({ text }))))).toEqual({ text: expected ?? text })
  })

  // However short: a made-up one is no less a key.
  test.each([
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow12\nhunter2=\n-----END RSA PRIVATE KEY-----\nnext', '[private-key]\nnext'],
    ['-----BEGIN PRIVATE KEY-----\\nMIIEow12\\n-----END PRIVATE KEY-----', '[private-key]'],
    ['-----BEGIN PRIVATE KEY-----\nMIIEow1234567890ab\nhunter2', '[private-key]'],
    [
      'PuTTY-User-Key-File-2: x\nPrivate-Lines: 2\nMIIEow1234567890ab\nhunter2\nPrivate-MAC: 0a1b\n',
      'PuTTY-User-Key-File-2: x\n[private-key]\n',
    ],
    ["a.includes('-----BEGIN PRIVATE KEY-----') && a.includes('-----END PRIVATE KEY-----')", null],
    ['-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----', null],
  ])('%j', (text, expected) => {
    expect(shape(redactor.redactText(text))).toBe(expected ?? text)
  })
})

test('equal secrets are equal, wherever they stand; with another key they are not', () => {
  const digits = (text: string) => /:([0-9a-f]{8})\]/.exec(text)?.[1]
  const inUrl = digits(redactor.redactText('https://bob:hunter2secret@x.io/'))
  const inEnv = digits(redactor.redactText('DB_PASSWORD="hunter2secret"'))
  expect(inUrl).toBe(inEnv)
  expect(inUrl).not.toBe(digits(other.redactText('DB_PASSWORD="hunter2secret"')))
  expect(inUrl).not.toBe(digits(redactor.redactText('DB_PASSWORD="hunter3secret"')))
})

/** A quadratic expression would not come back before the test is given up. */
test.each(
  [
    ...[
      'eyJ-',
      'eyJaaaaaaaaaaaa.',
      'ghp_',
      'sk-',
      'AKIA',
      'a',
      '1',
      'password',
      'password=',
      'pwd=',
      'pwd:"',
      "token='",
      '\\"token\\":\\"',
    ],
    ...[
      '://',
      '://a:',
      '://a:b@',
      'mysql -p',
      'curl -u a:',
      '-----BEGIN PRIVATE KEY-----\n',
      '-----END PRIVATE KEY-----',
      'Bearer ',
      'login a password ',
    ],
    ...[
      '"secrets":[',
      '"credentials":{"a":',
      '--token ',
      'token is ',
      'cookie: a=',
      '[',
      '{"a":',
      ':5432:a:b:',
      'auth":"',
      '\\',
      '"',
      '=',
      '%3D',
      ' -p',
      'echo a | ',
      'sudo -S ',
      'sudo -S <<< a',
      '<password>',
      '<password>a',
      'htpasswd -b ',
      'net use /user:a ',
      'composer config http-basic.a ',
      'rclone config create ',
      'rclone ',
      'A_PAT=',
      'password:\n',
      'https://a1b2c3d4e5',
    ],
  ].map(piece => [piece]),
)('half a megabyte of %j', piece => {
  const text = piece.repeat(Math.ceil((1 << 19) / piece.length))
  expect(redactor.redactText(text).length).toBeGreaterThan(0)
})

describe('a secret that is known stands nowhere else in the record', () => {
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq9\nq1w2e3r4t5y6u7i8o9p0\n-----END RSA PRIVATE KEY-----'
  test.each<[string, Json, Json]>([
    [
      'in a part of a command',
      { input: { command: 'echo Zx81kQp0vV | docker login --password-stdin' }, parts: [{ normal: 'echo Zx81kQp0vV' }] },
      { input: { command: 'echo [password] | docker login --password-stdin' }, parts: [{ normal: 'echo [password]' }] },
    ],
    [
      'in a path and a reason',
      { input: { file_path: '/x/ftp://me:Zx81kQp0vV@h/' }, path: '/x/ftp:/me:Zx81kQp0vV@h', reason: 'reads /x/ftp:/me:Zx81kQp0vV@h' },
      {
        input: { file_path: '/x/ftp://me:[url-password]@h/' },
        path: '/x/ftp:/me:[url-password]@h',
        reason: 'reads /x/ftp:/me:[url-password]@h',
      },
    ],
    [
      'line by line',
      { command: pem, parts: ['MIIEowIBAAKCAQEA7bq9', 'q1w2e3r4t5y6u7i8o9p0'] },
      { command: '[private-key]', parts: ['[private-key]', '[private-key]'] },
    ],
    ['but a short one may be a word', { password: 'main', branch: 'main' }, { password: '[password]', branch: 'main' }],
    ['nor what stands for one', { password: 'edacted:p', token: 'Zx81kQp0vV' }, { password: '[password]', token: '[token]' }],
  ])('%s', (_where, value, redacted) => {
    expect(shape(redactor.redactValue(value))).toEqual(redacted)
  })

  test('and is forgotten with it', () => {
    redactor.redactValue({ password: 'Zx81kQp0vV' })
    expect(redactor.redactValue({ note: 'Zx81kQp0vV' })).toEqual({ note: 'Zx81kQp0vV' })
  })
})

test('the marks of a diff hide nothing', () => {
  const diff = (before: string, after: string) => `--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-${before}\n+${after}\n`
  expect(shape(redactor.redactText(diff('sshpass -p Zx81kQp0vV ssh h', 'curl -u bob:Zx81kQp0vV https://x.io')))).toBe(
    diff('sshpass -p [password] ssh h', 'curl -u bob:[password] https://x.io'),
  )
})

test.each(['java -Dpassword=Zx81kQp0vV -jar a.jar', 'gradle build -PsigningPassword=Zx81kQp0vV'])('%s', command => {
  expect(redactor.redactText(command)).not.toContain('Zx81kQp0vV')
})
