import { testSite } from './siteTests';

// It leaves these to the server, without a base.
testSite('Docusaurus', { unfound: /pathname|srcset/, judgesAlts: true });
