import { testSite } from './siteTests';

// Its theme shows front matter. Vue makes of these names what it cannot read itself.
testSite('VuePress', { unfound: /heroImage/, unshown: /it's|100%/ });
