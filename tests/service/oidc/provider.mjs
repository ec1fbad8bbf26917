// A certified OpenID Connect provider (npm oidc-provider) for tests/oidc.
//   node provider.mjs PORT REDIRECT_URI
// Its signing key is new with every start, so a restart is a rotation. Anybody may sign in, under any
// name, with any password; the address is NAME@example.org.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { Provider } from 'oidc-provider';

const [port, redirectUri] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;

const signingKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const parts = privateKey.export({ format: 'jwk' });
  return { ...parts, kid: randomUUID(), use: 'sig', alg: 'RS256' };
};

const claims = (name) => ({
  sub: name,
  email: `${name}@example.org`,
  email_verified: true,
  name: `${name} of the test`,
});

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'citation',
      client_secret: 'a secret of the test that is long enough',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  // The address belongs into the user info then, as the standard has it.
  conformIdTokenClaims: true,
  cookies: { keys: [randomUUID()] },
  findAccount: (_, name) => ({ accountId: name, claims: async () => claims(name) }),
  jwks: { keys: [signingKey()] },
  pkce: { required: () => true },
});

provider.listen(Number(port), '127.0.0.1', () => console.log(`ready at ${issuer}`));
