export { encodeRanks, type FeatureRanks, rankBytes, rankOf, valueOfRank } from "./ranks";
