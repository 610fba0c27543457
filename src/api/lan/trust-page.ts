import { LANGUAGES, type Language } from '../../base/language.ts';
import { filled } from '../../sentences/tongue.js';
import { DEVICE_KINDS, type DeviceKind, TRUST_WORDS } from './trust-words.ts';

export interface TrustPageFacts {
  /** `shop.local` */
  readonly host: string;
  /** `https://shop.local:8443` */
  readonly address: string;
  readonly fingerprint: string;
  readonly language: Language;
  /** Whose steps are shown open; null: it is not known. */
  readonly device: DeviceKind | null;
}

/** The page by which a device comes to trust the shop. It needs no script, and nothing of it comes from the request but language and device. */
export function trustPage({ host, address, fingerprint, language, device }: TrustPageFacts): string {
  const words = TRUST_WORDS[language];
  const filled = (text: string) =>
    escaped(text).replaceAll('{host}', host).replaceAll('{address}', `<b>${address}</b>`);
  const languages = LANGUAGES.filter((one) => one !== language).map(
    (one) => `<a href="/trust?lang=${one}" lang="${one}" hreflang="${one}">${TRUST_WORDS[one].language}</a>`,
  );
  const devices = DEVICE_KINDS.map((kind) => {
    const { title, file, steps } = words.devices[kind];
    return `<details${kind === device ? ' open' : ''}>
<summary>${escaped(title)}</summary>
<p><a class="button" href="/trust/ca.${file}">${escaped(words.download)}</a></p>
<ol>${steps.map((step) => `<li>${filled(step)}</li>`).join('')}</ol>
</details>`;
  });
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${escaped(words.title)} · tilld</title>
<link rel="stylesheet" href="/trust/theme.css" />
<link rel="stylesheet" href="/trust/page.css" />
<script src="/trust/page.js" defer></script>
</head>
<body data-address="${address}" data-fingerprint="${fingerprint}">
<main class="trust">
<nav>${languages.join(' ')}</nav>
<h1>${escaped(words.title)}</h1>
<p>${filled(words.intro)}</p>
<h2>${escaped(words.compare)}</h2>
<p id="other" role="alert" hidden>${escaped(words.other)}</p>
<p>${escaped(words.compareSteps)}</p>
<p><code>${fingerprint.replaceAll(':', ':<wbr />')}</code></p>
<h2>${escaped(words.install)}</h2>
${devices.join('\n')}
<h2>${escaped(words.finish)}</h2>
<p><a class="button main" id="proceed" href="${address}/#/pair">${escaped(words.proceed)}</a></p>
<p>${escaped(words.warning)}</p>
</main>
</body>
</html>
`;
}

/**
 * The language of a browser: the first of its list that there is; browsers list by preference.
 * @param chosen of the address, if any @param otherwise where the browser names none that there is
 */
export function languageOf(
  chosen: string | null,
  accepted: string | undefined,
  otherwise: Language = 'en',
): Language {
  const named = [chosen ?? '', ...(accepted ?? '').split(',')].map((part) => part.trim().slice(0, 2));
  return (
    named.flatMap((one) => LANGUAGES.find((language) => language === one.toLowerCase()) ?? [])[0] ?? otherwise
  );
}

/** An iPad says that it is a Mac: both find their own part below the other's. */
export function deviceOf(agent: string | undefined): DeviceKind | null {
  const patterns: readonly (readonly [RegExp, DeviceKind])[] = [
    [/iPhone|iPad|iPod/, 'ios'],
    [/Android/, 'android'],
    [/Windows/, 'windows'],
    [/Macintosh/, 'mac'],
    [/Linux/, 'linux'],
  ];
  return patterns.find(([pattern]) => pattern.test(agent ?? ''))?.[1] ?? null;
}

function escaped(text: string): string {
  return filled(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
