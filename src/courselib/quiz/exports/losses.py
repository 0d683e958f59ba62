"""What a format cannot carry, each as a sentence: `refused` stands not in the file at all, `changed` stands there otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from courselib.text import Text, say

Severity = Literal["refused", "changed"]


@dataclass(frozen=True)
class Loss:
    """One thing that is lost: of which question ("" for the whole quiz), what, and how badly."""

    question: str
    sentence: Text
    severity: Severity


class Refused(Exception):
    """A question that a format would mark otherwise than we do; it is left out, and named."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence


# --- of the whole quiz
DIGITS = say(
    "সংখ্যা আর shape লিখতে হবে 0-9 দিয়ে; ০-৯, লাখের কমা বা 1/2-এর মতো ভগ্নাংশ LMS পড়তে পারে না। শিক্ষার্থীদের আগে জানিয়ে দাও।",
    "Numbers and shapes must be typed with 0-9: an LMS reads no ০-৯, lakh commas or fractions such as 1/2. Tell the learners beforehand.",
)
FOUR_PLACES = say(
    "Canvas-এর Classic Quizzes লেখা সংখ্যার চার দশমিক স্থান পর্যন্ত রাখে।",
    "Canvas Classic Quizzes keeps four decimal places of a number that is typed.",
)
LATEX = say(
    "সূত্রগুলো \\( \\)-এর ভেতরে LaTeX হিসেবে লেখা হলো; Canvas MathML ফেলে দেয়।",
    "Formulas are written as LaTeX between \\( \\): Canvas drops MathML.",
)
# --- of one question, whose marking changes
ONE_ORDER = say(
    "এখানে একটিই ক্রম ঠিক ধরা হয়; ঠিক হওয়ার মতো অন্য ক্রমগুলো আংশিক নম্বর পাবে।",
    "Only one order can be right here; the other right orders will get a part of the points.",
)
LONGEST_PART = say(
    "আংশিক নম্বর অন্যভাবে গোনা হয়: ঠিক ক্রমে থাকা সবচেয়ে লম্বা অংশটি মোট ধাপের যত ভাগ, তত; আমাদের নিয়মে এলোমেলো ক্রম শূন্য থেকে শুরু।",
    "Part credit is counted otherwise: the longest part in order as a share of all steps, while ours starts from nothing for any order.",
)
ALL_OR_NOTHING = say("আংশিক নম্বর নেই: পুরোটা ঠিক হলে নম্বর, নইলে শূন্য।", "There is no part credit: all points or none.")
CHOICES_EACH = say(
    "New Quizzes আংশিক নম্বর দেয় না, পুরোটা ঠিক হতে হয়; Classic Quizzes আমাদের নিয়মেই গোনে।",
    "New Quizzes gives no part credit by default, all points or none; Classic Quizzes counts as we do.",
)
CHOICES_ALL = say(
    "আমরা পুরোটা ঠিক না হলে শূন্য দিই; এখানে আংশিক নম্বর দেওয়া হয়।",
    "We give all points or none; here a part of the answer gets a part of the points.",
)
CHOICES_ALL_CANVAS = say(
    "আমরা পুরোটা ঠিক না হলে শূন্য দিই; Classic Quizzes আংশিক নম্বর দেয়, New Quizzes দেয় না।",
    "We give all points or none; Classic Quizzes gives part credit, New Quizzes does not.",
)
WRONG_UNIT = say(
    "একক ভুল হলেও সংখ্যাটি মিললে Moodle ঠিক ধরে।",
    "Moodle takes the number as right even where a wrong unit stands behind it.",
)
UNITS = say("অন্য এককে লেখা উত্তর পড়া হয় না: {u}।", "An answer in another unit is not read: {u}.")
UNIT_TYPED = say("শুধু সংখ্যাটি লিখতে হয়; সঙ্গে একক লেখা চলে না।", "Only the number may be typed, no unit behind it.")
SPELLINGS = say(
    "shape মেলানো হয় লেখা দেখে: চেনা বানানগুলোর বাইরে লিখলে ভুল ধরা হবে।",
    "A shape is compared as text: one written in none of the listed ways is marked wrong.",
)
FLOATS = say(
    "সংখ্যাটি ১৫ অঙ্কের বেশি; LMS কাছাকাছি সংখ্যাও ঠিক ধরতে পারে।",
    "The number has more than 15 figures; an LMS may take its neighbours as right too.",
)
VARIANTS = say(
    "কার ভাগে কোন সংখ্যা পড়বে, তা LMS দৈবভাবে ঠিক করে, student ID দেখে নয়।",
    "Which numbers a learner gets is drawn by the LMS, not by the student's id.",
)
VARIANTS_BY_HAND = say(
    "একই প্রশ্নের {n}টি রূপ আলাদা category-তে আছে: quiz-এ সেখান থেকে একটি random প্রশ্ন যোগ করো।",
    "Its {n} variants lie in a category of their own: add one random question from it to the quiz.",
)
CLOZE_POINTS = say(
    "প্রতিটি নামের জন্য ১ করে মোট {n} নম্বর হয়েছে; quiz-এ {p} করে দাও।",
    "It counts {n} points, one for each name; set it to {p} in the quiz.",
)
POINTS = say("GIFT নম্বর বহন করে না: quiz-এ {p} করে দাও।", "GIFT carries no points: set it to {p} in the quiz.")
SHUFFLE = say(
    "বিকল্পগুলো এলোমেলো হবে কি না, তা LMS-এর নিজের setting ঠিক করে।",
    "Whether the choices are shuffled is for the LMS's own setting to say.",
)
NEW_QUIZZES = say("শুধু New Quizzes এই প্রশ্ন নেয়, Classic নয়।", "Only New Quizzes takes this question, not Classic.")
# --- of one question, whose texts are lost
HINTS = say("hint-গুলো বাদ পড়েছে।", "The hints are left out.")
LEFT_OUT = say("বাদ পড়া ঠিক বিকল্পের ব্যাখ্যা বলা হয় না।", "What is said of a right choice left unpicked is lost.")
SLIPS = say("চেনা ভুলগুলোর ব্যাখ্যা বাদ পড়েছে।", "The reasons of the known slips are lost.")
SLIP_COVERED = say(
    "slip {s} ঠিক উত্তরের tolerance-এ পড়ে, তাই বাদ।",
    "The slip {s} reaches into the right answer's tolerance and is left out.",
)
FACTORS = say(
    "একক বা চিহ্নের ভুল (1000 গুণ, 1024 গুণ) আলাদা করে বলা হয় না।",
    "A wrong factor or sign (1000 times, 1024 times) is not named.",
)
DIMENSIONS = say("কতটি dimension মিলেছে, তা বলা হয় না।", "How many dimensions agree is not said.")
MOVES = say("কোন ধাপ কোথায় সরাতে হবে, তা বলা হয় না।", "Which step to move where is not said.")
RATING = say("শিক্ষার্থী এখানে নিজেকে নম্বর দিতে পারে না।", "A learner cannot rate herself here.")
# --- refused
EXTRAS = say(
    "বাদ: এই format-এ এমন ধাপ রাখা যায় না, যা ক্রমে লাগে না।",
    "Left out: this format has no steps that do not belong.",
)
MANY_ORDERS = say(
    "বাদ: একাধিক ক্রম ঠিক, কিন্তু এই format একটিই মানে; ঠিক উত্তরও ভুল ধরা হতো।",
    "Left out: several orders are right and this format knows one; right answers would be marked wrong.",
)
TOO_MANY_ORDERS = say(
    "বাদ: ঠিক ক্রম {n}টির বেশি, সব লেখা যায় না।",
    "Left out: more than {n} orders are right, too many to list.",
)
DROPDOWNS = say(
    "বাদ: GIFT-এ এক প্রশ্নে কয়েকটি নাম রাখা যায় না; Moodle XML নাও।",
    "Left out: GIFT has no question with several names; take Moodle XML.",
)
NO_DECIMAL = say(
    "বাদ: উত্তরটি হুবহু দশমিকে লেখা যায় না, tolerance-ও নেই; একটি tolerance দাও।",
    "Left out: no decimal writes the key exactly and there is no tolerance; give it one.",
)
TOO_LARGE = say("বাদ: সংখ্যাটি LMS-এর জন্য বেশি বড়।", "Left out: the number is too large for an LMS.")
TOO_SMALL = say(
    "বাদ: সংখ্যাটি এত ছোট যে Moodle 0-কেও ঠিক ধরত।",
    "Left out: the number is so small that Moodle would take 0 for it.",
)
TOO_FINE = say(
    "বাদ: Canvas চার দশমিক স্থানের পরে কেটে দেয়, তাতে ঠিক উত্তরও ভুল হতো।",
    "Left out: Canvas cuts a number after four places, which would make the right one wrong.",
)
UNWRITABLE = say("বাদ: লেখায় এমন control character আছে, যা XML-এ চলে না।", "Left out: a text has a control character that XML does not allow.")
