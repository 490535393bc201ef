import { testSite } from './siteTests';

// It leaves HTML to its address, and admonitions to an extension.
testSite('MkDocs', { unfound: /srcset|^!!!/, judgesAlts: true });
