import { createHash } from 'node:crypto';

/** Strings that stay the same, so that a device replaces the profile when it is installed again. */
function uuidOf(fingerprint: string, part: string): string {
  const hex = createHash('sha256').update(`${part} ${fingerprint}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...groups, `${variant}${hex.slice(18, 20)}`, hex.slice(20, 32)].join('-').toUpperCase();
}

/**
 * A configuration profile of iOS and macOS that holds the certificate of an authority. It is not signed: who trusts its content compares the
 * fingerprint, and a signature by the same authority would prove nothing.
 * @param host `shop.local` @param der the certificate
 */
export function mobileConfig(host: string, der: Buffer, fingerprint: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadCertificateFileName</key><string>${host}.crt</string>
      <key>PayloadContent</key><data>${der.toString('base64')}</data>
      <key>PayloadDisplayName</key><string>tilld ${host}</string>
      <key>PayloadIdentifier</key><string>tilld.${host}.authority</string>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadUUID</key><string>${uuidOf(fingerprint, 'authority')}</string>
      <key>PayloadVersion</key><integer>1</integer>
    </dict>
  </array>
  <key>PayloadDescription</key><string>SHA-256 ${fingerprint}</string>
  <key>PayloadDisplayName</key><string>tilld ${host}</string>
  <key>PayloadIdentifier</key><string>tilld.${host}</string>
  <key>PayloadRemovalDisallowed</key><false/>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadUUID</key><string>${uuidOf(fingerprint, 'profile')}</string>
  <key>PayloadVersion</key><integer>1</integer>
</dict>
</plist>
`;
}
