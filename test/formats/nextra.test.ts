import { testSite } from './siteTests';

// It takes a name alone for a package, and has no base in HTML; its bundler keeps `%` and `#` as they are.
testSite('Nextra', { unfound: /\(beside|srcset/, unshown: /#1|100%/ });
