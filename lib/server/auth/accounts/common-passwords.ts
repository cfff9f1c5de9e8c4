/** Long passwords that are tried first: rows of keys, digits, and words that many take, also with digits behind them. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `123456789012 1234567890123 12345678901234 123456789123 012345678910 0123456789012 987654321098
  111111111111 000000000000 121212121212 123123123123 123412341234 112233445566 123456123456
  qwertyuiopas qwertyuiop qwertyuiopasdf qwertyuiop123 qwertyuiop1234 qwertyqwerty qwerty123456 qwerty1234567
  1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv q1w2e3r4t5y6 qazwsxedcrfv asdfghjkl123
  asdfghjklqwerty zxcvbnmasdfgh qwertzuiop qwertzuiopas azertyuiopqs azertyuiop abcdefghijkl abcdefghijklm
  abcdefghijklmnop abcd1234abcd abc123abc123 a1b2c3d4e5f6 aaaaaaaaaaaa
  password passwordpassword passw0rdpassw0rd password1234 password12345 password123456 mypassword
  mypassword123 yourpassword newpassword newpassword1 oldpassword1 password1password p@ssw0rdp@ssw0rd
  p@ssword1234 p@ssw0rd1234 passw0rd1234 thisisapassword thepassword1 changeme changemechangeme changeme1234
  changemenow1 letmein letmeinletmein letmeinnow12 welcome welcomewelcome welcome12345 welcome1welcome1
  administrator administrator1 adminadminadmin admin1234567 admin123admin123 adminpassword rootrootroot
  rootpassword superuser1234 supersecret supersecret1 topsecret123 topsecretpassword secretsecret secretpassword
  iloveyou iloveyou1234 iloveyouiloveyou iloveyouforever iloveyousomuch ihateyou1234 trustno1trustno1
  dragondragon monkeymonkey footballfootball baseballbaseball superman1234 batman123456 startrek1234
  starwarsstarwars starwars1234 pokemon12345 minecraft123 princess1234 sunshine1234 computer computer1234
  internet internet1234 correcthorsebatterystaple correcthorse boardwalkboardwalk boardwalk1234 boardwalkpassword
  physicsphysics laboratory laboratory12 laboratorio1 universita12 universityuniversity masterpassword
  mastermaster defaultpassword default12345 guestguestguest guestpassword testtesttest testpassword test12345678
  testing12345 demodemodemo demopassword userpassword useruseruser samplepassword example12345 temporary123
  temppassword unknownunknown nopassword12 passwordless1 nothingnothing whateverwhatever whatever1234
  summer2024summer winter2025winter spring2026spring autumn2026autumn january12345 december12345`
    .split(/\s+/)
    .filter((each) => each !== ""),
);
