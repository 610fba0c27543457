import type { Language } from '../../base/language.ts';

/** How a kind of device comes to trust the shop, in the words that it shows itself. */
export interface DeviceSteps {
  readonly title: string;
  readonly file: 'crt' | 'mobileconfig';
  readonly steps: readonly string[];
}

/** The page by which a device comes to trust the shop. `{host}`: its name in the shop's network; `{address}`: where its pages are. */
export interface TrustWords {
  readonly language: string;
  readonly title: string;
  readonly intro: string;
  readonly compare: string;
  readonly compareSteps: string;
  readonly other: string;
  readonly install: string;
  readonly download: string;
  readonly devices: Readonly<Record<DeviceKind, DeviceSteps>>;
  readonly finish: string;
  readonly proceed: string;
  readonly warning: string;
}

export const DEVICE_KINDS = ['ios', 'android', 'windows', 'mac', 'linux'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

const EN: TrustWords = {
  language: 'English',
  title: 'Trust the till of this shop',
  intro:
    'Do this once on each device. Then it opens {address} without a warning, and no other device of the network can read along.',
  compare: '1. Compare',
  compareSteps:
    'The till shows this fingerprint (SHA-256) beside its QR code, and your device shows it when you look at the certificate. If they differ, install nothing: another machine answered.',
  other: 'Stop: this is not the fingerprint of the QR code. Another machine answered. Install nothing.',
  install: '2. Install the certificate',
  download: 'Download the certificate',
  devices: {
    ios: {
      title: 'iPhone and iPad',
      file: 'mobileconfig',
      steps: [
        'Open this page in Safari, download the certificate, and tap Allow.',
        'Settings › General › VPN & Device Management › tilld {host} › Install.',
        'Settings › General › About › Certificate Trust Settings: switch tilld {host} on.',
      ],
    },
    android: {
      title: 'Android',
      file: 'crt',
      steps: [
        'Download the certificate. If the browser asks, keep the file.',
        'Settings › Security & privacy › More security settings › Encryption & credentials › Install a certificate › CA certificate › Install anyway, and choose the file. Where the names differ, search the settings for “CA certificate”.',
      ],
    },
    windows: {
      title: 'Windows',
      file: 'crt',
      steps: [
        'Download the certificate and open the file.',
        'Install Certificate › Current User › Place all certificates in the following store › Trusted Root Certification Authorities.',
      ],
    },
    mac: {
      title: 'Mac',
      file: 'crt',
      steps: [
        'Download the certificate and open the file: Keychain Access adds it.',
        'Open tilld {host} there › Trust › When using this certificate: Always Trust.',
      ],
    },
    linux: {
      title: 'Linux (Chromium)',
      file: 'crt',
      steps: [
        'Download the certificate.',
        'Settings › Privacy and security › Security › Manage certificates › Import it to identify websites.',
      ],
    },
  },
  finish: '3. Go on',
  proceed: 'Open the pages of the shop',
  warning:
    'If the browser warns there, the device does not trust the shop yet: do not go past the warning, but see step 2 again.',
};

const DE: TrustWords = {
  language: 'Deutsch',
  title: 'Der Kasse dieses Geschäfts vertrauen',
  intro:
    'Das ist an jedem Gerät einmal nötig. Danach öffnet es {address} ohne Warnung, und kein anderes Gerät im Netz liest mit.',
  compare: '1. Vergleichen',
  compareSteps:
    'Die Kasse zeigt diesen Fingerabdruck (SHA-256) neben ihrem QR-Code, und Ihr Gerät zeigt ihn, wenn Sie das Zertifikat ansehen. Sind sie verschieden, installieren Sie nichts: Ein anderer Rechner hat geantwortet.',
  other:
    'Halt: Das ist nicht der Fingerabdruck des QR-Codes. Ein anderer Rechner hat geantwortet. Installieren Sie nichts.',
  install: '2. Das Zertifikat installieren',
  download: 'Zertifikat herunterladen',
  devices: {
    ios: {
      title: 'iPhone und iPad',
      file: 'mobileconfig',
      steps: [
        'Öffnen Sie diese Seite in Safari, laden Sie das Zertifikat herunter und tippen Sie auf Zulassen.',
        'Einstellungen › Allgemein › VPN und Geräteverwaltung › tilld {host} › Installieren.',
        'Einstellungen › Allgemein › Info › Zertifikatsvertrauenseinstellungen: tilld {host} einschalten.',
      ],
    },
    android: {
      title: 'Android',
      file: 'crt',
      steps: [
        'Laden Sie das Zertifikat herunter. Fragt der Browser, behalten Sie die Datei.',
        'Einstellungen › Sicherheit & Datenschutz › Weitere Sicherheitseinstellungen › Verschlüsselung & Anmeldedaten › Zertifikat installieren › CA-Zertifikat › Trotzdem installieren, dann die Datei wählen. Heißt es anders, suchen Sie in den Einstellungen nach „CA-Zertifikat“.',
      ],
    },
    windows: {
      title: 'Windows',
      file: 'crt',
      steps: [
        'Laden Sie das Zertifikat herunter und öffnen Sie die Datei.',
        'Zertifikat installieren › Aktueller Benutzer › Alle Zertifikate in folgendem Speicher speichern › Vertrauenswürdige Stammzertifizierungsstellen.',
      ],
    },
    mac: {
      title: 'Mac',
      file: 'crt',
      steps: [
        'Laden Sie das Zertifikat herunter und öffnen Sie die Datei: Die Schlüsselbundverwaltung fügt es hinzu.',
        'Öffnen Sie dort tilld {host} › Vertrauen › Bei Verwendung dieses Zertifikats: Immer vertrauen.',
      ],
    },
    linux: {
      title: 'Linux (Chromium)',
      file: 'crt',
      steps: [
        'Laden Sie das Zertifikat herunter.',
        'Einstellungen › Datenschutz und Sicherheit › Sicherheit › Zertifikate verwalten › Importieren, zum Identifizieren von Websites.',
      ],
    },
  },
  finish: '3. Weiter',
  proceed: 'Die Seiten des Geschäfts öffnen',
  warning:
    'Warnt der Browser dort, vertraut das Gerät dem Geschäft noch nicht: Gehen Sie nicht über die Warnung hinweg, sondern zurück zu Schritt 2.',
};

const FR: TrustWords = {
  language: 'Français',
  title: 'Faire confiance à la caisse de ce magasin',
  intro:
    'À faire une fois sur chaque appareil. Ensuite, il ouvre {address} sans avertissement, et aucun autre appareil du réseau ne lit ce qui passe.',
  compare: '1. Comparer',
  compareSteps:
    'La caisse affiche cette empreinte (SHA-256) à côté de son code QR, et votre appareil l’affiche quand vous regardez le certificat. Si elles diffèrent, n’installez rien : une autre machine a répondu.',
  other: 'Arrêtez : ce n’est pas l’empreinte du code QR. Une autre machine a répondu. N’installez rien.',
  install: '2. Installer le certificat',
  download: 'Télécharger le certificat',
  devices: {
    ios: {
      title: 'iPhone et iPad',
      file: 'mobileconfig',
      steps: [
        'Ouvrez cette page dans Safari, téléchargez le certificat et touchez Autoriser.',
        'Réglages › Général › VPN et gestion de l’appareil › tilld {host} › Installer.',
        'Réglages › Général › Informations › Réglages des certificats : activez tilld {host}.',
      ],
    },
    android: {
      title: 'Android',
      file: 'crt',
      steps: [
        'Téléchargez le certificat. Si le navigateur demande, conservez le fichier.',
        'Paramètres › Sécurité et confidentialité › Autres paramètres de sécurité › Chiffrement et identifiants › Installer un certificat › Certificat CA › Installer quand même, puis choisissez le fichier. Si les noms diffèrent, cherchez « certificat CA » dans les paramètres.',
      ],
    },
    windows: {
      title: 'Windows',
      file: 'crt',
      steps: [
        'Téléchargez le certificat et ouvrez le fichier.',
        'Installer un certificat › Utilisateur actuel › Placer tous les certificats dans le magasin suivant › Autorités de certification racines de confiance.',
      ],
    },
    mac: {
      title: 'Mac',
      file: 'crt',
      steps: [
        'Téléchargez le certificat et ouvrez le fichier : l’app Trousseaux d’accès l’ajoute.',
        'Ouvrez-y tilld {host} › Se fier › Lors de l’utilisation de ce certificat : Toujours approuver.',
      ],
    },
    linux: {
      title: 'Linux (Chromium)',
      file: 'crt',
      steps: [
        'Téléchargez le certificat.',
        'Paramètres › Confidentialité et sécurité › Sécurité › Gérer les certificats › Importer, pour identifier des sites.',
      ],
    },
  },
  finish: '3. Continuer',
  proceed: 'Ouvrir les pages du magasin',
  warning:
    'Si le navigateur y affiche un avertissement, l’appareil ne fait pas encore confiance au magasin : ne passez pas outre, mais revenez à l’étape 2.',
};

export const TRUST_WORDS: Readonly<Record<Language, TrustWords>> = { en: EN, de: DE, fr: FR };
